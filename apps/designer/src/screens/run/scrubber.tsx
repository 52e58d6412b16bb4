import { Pause, Play, SkipBack, SkipForward } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Cursor, stopAt } from '../../run/cursor.ts';
import { duration } from '../../ui/amounts.ts';
import { Button } from '../../ui/button.tsx';
import { useLatest } from '../../ui/use-latest.ts';
import css from './scrubber.module.css';

/** Milliseconds between two steps while it plays. */
const STEP_MS = 250;

/** The time cursor: at any of the stops, and `undefined` for now. */
export function Scrubber({
  stops,
  last,
  at,
  onMove,
}: {
  /** Where it can stand, in order; there is one at least. */
  readonly stops: readonly Cursor[];
  /** The last event of the run itself. */
  readonly last: number;
  readonly at: Cursor | undefined;
  readonly onMove: (at: Cursor | undefined) => void;
}) {
  const { t } = useTranslation();
  const [isPlaying, setPlaying] = useState(false);
  const end = stops.length - 1;
  const place = at ? stopAt(stops, at) : end;
  const go = useLatest((to: number) => onMove(to >= end ? undefined : stops[Math.max(0, to)]));
  useEffect(() => {
    if (!isPlaying) return;
    if (place >= end) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => go(place + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, place, end, go]);
  const play = () => {
    if (!isPlaying && !at) go(0);
    setPlaying(!isPlaying);
  };
  const { seq, afterMs } = at ?? { seq: last, afterMs: 0 };
  const said = t('scrubber.place', { seq, last }) + (afterMs > 0 ? ` + ${duration(afterMs)}` : '');
  return (
    <div className={css.scrubber} role="group" aria-label={t('scrubber.label')}>
      <Button
        look="quiet"
        aria-label={t('scrubber.back')}
        onClick={() => go(place - 1)}
        disabled={place <= 0}
      >
        <SkipBack size={15} aria-hidden="true" />
      </Button>
      <Button
        aria-label={isPlaying ? t('scrubber.pause') : t('scrubber.play')}
        onClick={play}
        disabled={end < 1}
      >
        {isPlaying ? <Pause size={15} aria-hidden="true" /> : <Play size={15} aria-hidden="true" />}
      </Button>
      <Button
        look="quiet"
        aria-label={t('scrubber.on')}
        onClick={() => go(place + 1)}
        disabled={place >= end}
      >
        <SkipForward size={15} aria-hidden="true" />
      </Button>
      <input
        type="range"
        min={1}
        max={Math.max(1, end + 1)}
        value={place + 1}
        aria-label={t('scrubber.event')}
        aria-valuetext={said}
        onChange={({ target }) => go(Number(target.value) - 1)}
      />
      <span className={css.place}>{said}</span>
      {at && <Button onClick={() => onMove(undefined)}>{t('scrubber.now')}</Button>}
    </div>
  );
}
