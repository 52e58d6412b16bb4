import { afterPaint } from './after-paint.ts';
import type { Probe } from './contract.ts';

/** Times how long it takes from a press of the mouse or of a key until something is on the screen. */
export function expectShown(): Pick<Probe, 'expect' | 'shownAfterMs'> {
  let shown: Promise<number> = Promise.reject(new Error('Nothing was expected.'));
  shown.catch(() => undefined);
  return {
    expect(press, selector, text) {
      const isThere = () => {
        const found = document.querySelector(selector);
        return found !== null && (text === undefined || found.textContent === text);
      };
      if (isThere()) throw new Error(`${selector} is there already.`);
      shown = new Promise((resolve) => {
        const begin = ({ timeStamp }: Event) => {
          const look = () => (isThere() ? resolve(performance.now() - timeStamp) : afterPaint(look));
          afterPaint(look);
        };
        addEventListener(press, begin, { capture: true, once: true });
      });
    },
    shownAfterMs: () => shown,
  };
}
