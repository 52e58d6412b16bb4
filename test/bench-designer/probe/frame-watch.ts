import type { Frames, Probe } from './contract.ts';

/** Times frames, and the tasks that hold them up. */
export function watchFrames(): Pick<Probe, 'watch' | 'frames'> {
  let ms: number[] = [];
  let tasks: number[] = [];
  let isOn = false;
  const observer = new PerformanceObserver((list) => {
    tasks.push(...list.getEntries().map(({ duration }) => duration));
  });
  const begin = () => {
    ms = [];
    tasks = [];
    isOn = true;
    observer.observe({ type: 'longtask' });
    let last: number | undefined;
    const tick = (at: number) => {
      if (last !== undefined) ms.push(at - last);
      last = at;
      if (isOn) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  };
  const end = (): Frames => {
    isOn = false;
    tasks.push(...observer.takeRecords().map(({ duration }) => duration));
    observer.disconnect();
    return {
      ms,
      longTaskMs: tasks.reduce((sum, each) => sum + each, 0),
      longestTaskMs: Math.max(0, ...tasks),
    };
  };
  return { watch: begin, frames: end };
}
