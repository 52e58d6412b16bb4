/** Calls `stop` once when this process is asked to end: by signal, or because the process that started it is gone. */
export function whenAsked(stop: () => void): void {
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  if (process.channel) {
    process.once('disconnect', stop);
    process.channel.unref();
  }
  const parent = Number(process.env.PAWL_PARENT_PID);
  if (parent > 0 && !process.channel) {
    setInterval(() => {
      try {
        process.kill(parent, 0);
      } catch {
        stop();
      }
    }, 1_000).unref();
  }
}
