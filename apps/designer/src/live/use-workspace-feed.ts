import { useEffect } from 'react';

/** Keeps what is on screen of runs and inbox as the engine tells it, while the component is there; loaded after the page. */
export function useWorkspaceFeed(): void {
  useEffect(() => {
    let stop = () => {};
    let isOver = false;
    void import('./start-workspace-feed.ts').then(
      ({ startWorkspaceFeed }) => {
        if (!isOver) stop = startWorkspaceFeed();
      },
      // The engine is away: what is on screen is compared now and then all the same.
      () => {},
    );
    return () => {
      isOver = true;
      stop();
    };
  }, []);
}
