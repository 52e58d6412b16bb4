import css from '../inspector.module.css';
import { GivenLately } from './given-lately.tsx';
import { PinnedOutput } from './pinned-output.tsx';
import { TryParts } from './try-parts.tsx';

/** What a test would do around the node, what it gave last, and the output that is kept with it. */
export const TestTab = () => (
  <div className={css.fields}>
    <TryParts />
    <GivenLately />
    <PinnedOutput />
  </div>
);
