import type { FlowDocument } from '@pawl/dag-core';
import { describe, expect, it } from 'vitest';
import { type Draft, DraftSaver, type LocalCopy } from '../../../src/saving/draft-saver.ts';

const flow = (title: string): FlowDocument => ({
  format: 'pawl/1',
  name: 'sort',
  title,
  nodes: [],
  edges: [],
});

/** A server with one draft, that refuses who is behind; a clock that passes when it is told; a browser that keeps one copy. */
class World {
  draft: Draft = { revision: 1, document: flow('first') };
  copy: LocalCopy | undefined;
  isReachable = true;
  isSignedIn = true;
  timers = new Set<() => void>();

  open(draft = this.draft): DraftSaver {
    return new DraftSaver(draft, {
      save: async (document, revision) => {
        this.#reach();
        if (revision !== this.draft.revision)
          throw Object.assign(new Error('behind'), { code: 'draft_conflict' });
        this.draft = { revision: revision + 1, document };
        return this.draft;
      },
      load: async () => {
        this.#reach();
        return this.draft;
      },
      keep: (copy) => {
        this.copy = copy;
      },
      forget: () => {
        this.copy = undefined;
      },
      later: (_ms, call) => {
        this.timers.add(call);
        return () => this.timers.delete(call);
      },
    });
  }

  #reach(): void {
    if (!this.isSignedIn) throw Object.assign(new Error('ended'), { code: 'session_ended' });
    if (!this.isReachable) throw Object.assign(new Error('nobody'), { code: 'engine_unreachable' });
  }
}

describe('saving a draft', () => {
  it('sends what is newest after a pause, and then keeps no copy (S1, S2)', async () => {
    const world = new World();
    const saver = world.open();
    saver.edit(flow('second'));
    saver.edit(flow('third'));
    expect(saver.state().phase).toBe('edited');
    expect(world.copy?.document.title).toBe('third');
    expect(world.timers.size).toBe(1);
    await saver.flush();
    expect(world.draft).toMatchObject({ revision: 2, document: { title: 'third' } });
    expect(saver.state().phase).toBe('saved');
    expect(world.copy).toBeUndefined();
  });

  it('sends what was edited while it was saving as the next revision (S1)', async () => {
    const world = new World();
    const saver = world.open();
    saver.edit(flow('second'));
    const sending = saver.flush();
    saver.edit(flow('third'));
    await sending;
    expect(saver.state().phase).toBe('edited');
    await saver.flush();
    expect(world.draft).toMatchObject({ revision: 3, document: { title: 'third' } });
  });

  it('keeps edits in the browser while nobody answers, and tries again (S2, S5)', async () => {
    const world = new World();
    const saver = world.open();
    world.isReachable = false;
    saver.edit(flow('second'));
    await saver.flush();
    expect(saver.state().phase).toBe('offline');
    expect(world.copy).toMatchObject({ revision: 1, document: { title: 'second' } });
    world.isReachable = true;
    await saver.flush();
    expect(saver.state().phase).toBe('saved');
    expect(world.draft.document.title).toBe('second');
  });

  it('keeps edits in the browser while nobody is signed in, and saves them when somebody is (S2, S5)', async () => {
    const world = new World();
    const saver = world.open();
    world.isSignedIn = false;
    saver.edit(flow('second'));
    await saver.flush();
    expect(saver.state().phase).toBe('offline');
    expect(world.copy).toMatchObject({ document: { title: 'second' } });
    world.isSignedIn = true;
    for (const call of world.timers) call();
    await expect.poll(() => saver.state().phase).toBe('saved');
    expect(world.draft.document.title).toBe('second');
  });

  it('never overwrites what somebody else saved: it shows both, and saves what was chosen over theirs (S1, S3)', async () => {
    const world = new World();
    const [mine, theirs] = [world.open(), world.open()];
    theirs.edit(flow('theirs'));
    await theirs.flush();
    mine.edit(flow('mine'));
    await mine.flush();
    expect(mine.state()).toMatchObject({
      phase: 'conflict',
      conflict: { base: { title: 'first' }, theirs: { revision: 2, document: { title: 'theirs' } } },
    });
    mine.edit(flow('mine, still'));
    await mine.flush();
    expect(world.draft.document.title).toBe('theirs');
    mine.settleConflict(flow('both'));
    await expect.poll(() => mine.state().phase).toBe('saved');
    expect(world.draft).toMatchObject({ revision: 3, document: { title: 'both' } });
  });

  it('takes what others saved when it has nothing of its own (S4)', async () => {
    const world = new World();
    const [one, other] = [world.open(), world.open()];
    one.edit(flow('newer'));
    await one.flush();
    expect((await other.refresh())?.title).toBe('newer');
    expect(await other.refresh()).toBeUndefined();
    other.edit(flow('newest'));
    await other.flush();
    expect(world.draft).toMatchObject({ revision: 3, document: { title: 'newest' } });
  });

  it('goes on with what an earlier tab could not save; if others saved since, both are shown (S2, S3)', async () => {
    const world = new World();
    const copy: LocalCopy = { revision: 1, base: flow('first'), document: flow('lost') };
    const saver = world.open();
    saver.restore(copy);
    await saver.flush();
    expect(world.draft.document.title).toBe('lost');
    const later = world.open();
    later.restore(copy);
    expect(later.state()).toMatchObject({ phase: 'conflict', conflict: { base: { title: 'first' } } });
  });
});
