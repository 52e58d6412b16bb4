// Would catch: a node run declared lost while the answer that tells its worker of it is still on its way.
import { describe, expect, it } from 'vitest';
import { Takings } from '../../../src/runtime/takings.ts';

describe('takings', () => {
  it('all that had begun at a look have ended when the oldest under way is newer than the newest then', () => {
    const takings = new Takings();
    const claim = takings.begin();
    const commit = takings.begin();
    const seenAt = takings.newest;
    takings.end(claim);
    expect(seenAt < takings.oldestUnderWay).toBe(false);
    const later = takings.begin();
    takings.end(commit);
    expect(takings.oldestUnderWay).toBe(later);
    expect(seenAt < takings.oldestUnderWay).toBe(true);
  });

  it('with nothing under way everything seen before has been answered', () => {
    const takings = new Takings();
    expect(takings.newest < takings.oldestUnderWay).toBe(true);
    takings.end(takings.begin());
    expect(takings.newest < takings.oldestUnderWay).toBe(true);
  });
});
