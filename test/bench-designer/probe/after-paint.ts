const { port1, port2 } = new MessageChannel();
let waiting: (() => void)[] = [];
port1.onmessage = () => {
  const calls = waiting;
  waiting = [];
  for (const call of calls) call();
};

/** Calls back once the next frame is on its way to the screen: a task that is put off in its callback runs after style, layout and paint. */
export function afterPaint(call: () => void): void {
  requestAnimationFrame(() => {
    if (waiting.length === 0) port2.postMessage(undefined);
    waiting.push(call);
  });
}
