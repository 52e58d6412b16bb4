// Preloaded into a process (NODE_OPTIONS=--import) whose wall clock is to be wrong by CLOCK_SHIFT_MS. Monotonic time stays right.
const shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0);
const RealDate = Date;
globalThis.Date = class ShiftedDate extends RealDate {
  constructor(...args) {
    super(...(args.length === 0 ? [RealDate.now() + shiftMs] : args));
  }
  static now() {
    return RealDate.now() + shiftMs;
  }
};
