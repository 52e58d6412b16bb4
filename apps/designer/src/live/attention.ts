/** What is to be done when somebody looks at the page again (`wake`), and when nobody has for a while (`sleep`). */
export interface Attention {
  readonly wake: () => void;
  readonly sleep: () => void;
}

/** A look at another tab is no reason to let a connection go. */
const SLEEP_AFTER_MS = 30_000;

/**
 * Tells whether somebody looks at the page. It wakes when the tab is shown, was frozen, came back out of the history, or has a network
 * again; it sleeps when the tab has been hidden for half a minute.
 *
 * @returns how to stop that
 */
export function watchAttention({ wake, sleep }: Attention): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    if (document.visibilityState === 'visible') wake();
    else timer = setTimeout(sleep, SLEEP_AFTER_MS);
  };
  const changes: readonly (readonly [EventTarget, string])[] = [
    [document, 'visibilitychange'],
    [document, 'resume'],
    [window, 'pageshow'],
    [window, 'online'],
  ];
  for (const [target, change] of changes) target.addEventListener(change, look);
  return () => {
    clearTimeout(timer);
    for (const [target, change] of changes) target.removeEventListener(change, look);
  };
}
