// What runs inside the interpreter, before the user's code. Text, not a function: loaders must not rewrite it.
// It takes away what differs between two executions, gives recorded randomness, and keeps the built-ins it will need
// later, since user code may change them.
export const IN_VM = String.raw`
(([a, b, c, d]) => {
  // Garbage collection is visible through these two; memory shared between agents has no second agent here.
  for (const name of ['WeakRef', 'FinalizationRegistry', 'SharedArrayBuffer', 'Atomics']) delete globalThis[name];

  // sfc32: 128 bits of state, seeded from the recorded randomness of the run.
  const next = () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return t >>> 0;
  };
  for (let turn = 0; turn < 12; turn++) next();
  Math.random = () => ((next() >>> 5) * 67108864 + (next() >>> 6)) / 9007199254740992;

  const { parse, stringify } = JSON;
  const { isArray, prototype: arrayPrototype } = Array;
  const { keys, getPrototypeOf, prototype: objectPrototype } = Object;
  const { isInteger, isSafeInteger } = Number;
  const finite = isFinite;
  const { abs } = Math;
  const text = String;
  const makeSet = Set;
  const { has, add, delete: remove } = Set.prototype;
  const { apply } = Reflect;
  const { replace } = String.prototype;
  const { toString } = objectPrototype;
  const { slice } = String.prototype;

  const segment = (key) => '/' + apply(replace, apply(replace, key, [/~/g, '~0']), [/\//g, '~1']);
  const tag = (value) => {
    const maker = value.constructor;
    const name = typeof maker === 'function' ? maker.name : '';
    return typeof name === 'string' && name !== '' ? name : apply(slice, apply(toString, value, []), [8, -1]);
  };

  // Returns undefined when the value is JSON, else [pointer, found]. Same rule as toJson of the tool SDK.
  const problem = (value, pointer, above, depth) => {
    if (value === null) return;
    const type = typeof value;
    if (type === 'string' || type === 'boolean') return;
    if (type === 'number') {
      if (!finite(value)) return [pointer, text(value)];
      if (isInteger(value) && !isSafeInteger(value) && abs(value) < 1e21) return [pointer, 'unsafe integer'];
      return;
    }
    if (type !== 'object') return [pointer, type];
    if (apply(has, above, [value])) return [pointer, 'cycle'];
    if (depth >= 1000) return [pointer, 'too deep'];
    apply(add, above, [value]);
    if (isArray(value)) {
      for (let index = 0; index < value.length; index++) {
        const found = problem(value[index], pointer + '/' + index, above, depth + 1);
        if (found !== undefined) return found;
      }
    } else {
      const prototype = getPrototypeOf(value);
      if (prototype !== null && prototype !== objectPrototype) return [pointer, tag(value)];
      const names = keys(value);
      for (let index = 0; index < names.length; index++) {
        const member = value[names[index]];
        if (member === undefined) continue;
        const found = problem(member, pointer + segment(names[index]), above, depth + 1);
        if (found !== undefined) return found;
      }
    }
    apply(remove, above, [value]);
  };

  const refusal = (pointer, found) => '{"ok":false,"pointer":' + stringify(pointer) + ',"found":' + stringify(found) + '}';
  const finish = (value) => {
    const found = problem(value, '', new makeSet(), 0);
    if (found !== undefined) return refusal(found[0], found[1]);
    // Only members of the value itself may decide how it is written, and those were just found to be JSON.
    delete objectPrototype.toJSON;
    delete arrayPrototype.toJSON;
    const written = stringify(value);
    return typeof written === 'string' ? '{"ok":true,"value":' + written + '}' : refusal('', typeof written);
  };
  return { parse, finish };
})
`;
