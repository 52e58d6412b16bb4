import { Pause, Play, SkipBack, SkipForward } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import css from './scrubber.module.css';

/** Milliseconds between two steps while it plays. */
const STEP_MS = 250;

/** The time cursor: any event of the journal, and `undefined` for now. */
export function Scrubber({
  last,
  at,
  onMove,
}: {
  readonly last: number;
  readonly at: number | undefined;
  readonly onMove: (at: number | undefined) => void;
}) {
  const { t } = useTranslation();
  const [isPlaying, setPlaying] = useState(false);
  const seq = at ?? last;
  const go = (to: number) => onMove(to >= last ? undefined : Math.max(1, to));
  useEffect(() => {
    if (!isPlaying) return;
    if (seq >= last) {
      setPlaying(false);
      return;
    }
    const timer = setTimeout(() => onMove(seq + 1 >= last ? undefined : seq + 1), STEP_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, seq, last, onMove]);
  const play = () => {
    if (!isPlaying && at === undefined) onMove(1);
    setPlaying(!isPlaying);
  };
  return (
    <div className={css.scrubber} role="group" aria-label={t('scrubber.label')}>
      <Button look="quiet" aria-label={t('scrubber.back')} onClick={() => go(seq - 1)} disabled={seq <= 1}>
        <SkipBack size={15} aria-hidden="true" />
      </Button>
      <Button
        aria-label={isPlaying ? t('scrubber.pause') : t('scrubber.play')}
        onClick={play}
        disabled={last < 2}
      >
        {isPlaying ? <Pause size={15} aria-hidden="true" /> : <Play size={15} aria-hidden="true" />}
      </Button>
      <Button look="quiet" aria-label={t('scrubber.on')} onClick={() => go(seq + 1)} disabled={seq >= last}>
        <SkipForward size={15} aria-hidden="true" />
      </Button>
      <input
        type="range"
        min={1}
        max={Math.max(1, last)}
        value={seq}
        aria-label={t('scrubber.event')}
        aria-valuetext={t('scrubber.place', { seq, last })}
        onChange={({ target }) => go(Number(target.value))}
      />
      <span className={css.place}>{t('scrubber.place', { seq, last })}</span>
      {at !== undefined && <Button onClick={() => onMove(undefined)}>{t('scrubber.now')}</Button>}
    </div>
  );
}
