import { afterPaint } from './after-paint.ts';
import type { Probe, StatusTimes } from './contract.ts';

interface Arrival {
  readonly at: number;
  readonly event: { readonly type: string; readonly path: string };
}

/** Notes when events came by a stream, and when frames showed what they said: a node says its status at the end of its name. */
export function watchStatuses(): Pick<Probe, 'statuses' | 'statusTimes'> {
  const arrivals: Arrival[] = [];
  /** What frames have shown of each node, in order. */
  const shown = new Map<string, { readonly at: number; readonly word: string }[]>();
  noteArrivals(arrivals);
  noteNames((id, word) => {
    afterPaint(() => {
      const at = performance.now();
      const words = shown.get(id) ?? [];
      words.push({ at, word });
      shown.set(id, words);
    });
  });
  return {
    statuses: () => Object.fromEntries([...shown].map(([id, words]) => [id, words.at(-1)!.word])),
    statusTimes(words) {
      const order = Object.values(words);
      return arrivals
        .filter(({ event }) => Object.hasOwn(words, event.type))
        .map(({ at, event }): StatusTimes => {
          // What came right after it in one batch may have been shown in its place.
          const wanted = order.slice(order.indexOf(words[event.type]!));
          const found = shown.get(event.path)?.find((each) => each.at >= at && wanted.includes(each.word));
          const times = { path: event.path, event: event.type, arrivedAt: at };
          return found ? { ...times, shownAt: found.at } : times;
        });
    },
  };
}

/** Every stream of events is listened to on its way from the network to who asked for it. */
function noteArrivals(arrivals: Arrival[]): void {
  const { fetch } = globalThis;
  globalThis.fetch = async (...request) => {
    const response = await fetch(...request);
    if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream'))
      return response;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(listener(arrivals)), { status, statusText, headers });
  };
}

function listener(arrivals: Arrival[]): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  const decoder = new TextDecoder();
  let text = '';
  return new TransformStream({
    transform(chunk, controller) {
      const at = performance.now();
      const frames = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
      text = frames.pop()!;
      controller.enqueue(chunk);
      for (const frame of frames) {
        const data = /^data: ?(.*)$/m.exec(frame)?.[1];
        if (data !== undefined && /^id: ?\d+$/m.test(frame)) arrivals.push({ at, event: JSON.parse(data) });
      }
    },
  });
}

/** Calls with every node whose name changes, and the last word of it. */
function noteNames(call: (id: string, word: string) => void): void {
  const tell = (element: Element) => {
    const id = (element as HTMLElement).dataset.id;
    if (id !== undefined && element.classList.contains('react-flow__node'))
      call(id, element.getAttribute('aria-label')?.split(', ').at(-1) ?? '');
  };
  const observer = new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'attributes') tell(target as Element);
      for (const node of addedNodes)
        if (node instanceof Element) [node, ...node.getElementsByClassName('react-flow__node')].forEach(tell);
    }
  });
  observer.observe(document, { subtree: true, childList: true, attributeFilter: ['aria-label'] });
}
