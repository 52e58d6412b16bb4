// Which mistake would this catch? A way into sub-flows that shows another version than the one that would run, or ends without saying why.
import { describe, expect, it } from 'vitest';
import { followFlows, type Versions, WayEnds } from '../../../src/canvas/follow-flows.ts';
import { draft, map, node } from '../editor/drafts.ts';

const id = (digit: number) => String(digit).repeat(64);
const runs = (name: string, flow: string) => node(name, { kind: 'flow', flow });
const flows: Record<string, { readonly published?: string; readonly versions: readonly object[] }> = {
  check: {
    published: id(1),
    versions: [
      draft([runs('deep', `look@${id(3)}`)], [], { name: 'check', title: 'first' }),
      draft([], [], { name: 'check', title: 'second' }),
    ],
  },
  look: { versions: [{}, {}, draft([runs('again', 'look@self')], [], { name: 'look' })] },
};
const asked: string[] = [];
interface Asked {
  readonly params: { readonly flow: string; readonly versionId: string };
}
const api = {
  getFlow: async ({ params: { flow } }: Asked) => ({ publishedVersion: flows[flow]!.published }),
  listVersions: async ({ params: { flow } }: Asked) => ({
    items: flows[flow]!.versions.map((_, at) => ({ id: id(at + 1), number: at + 1 })),
  }),
  getVersion: async ({ params: { flow, versionId } }: Asked) => {
    asked.push(`${flow} ${versionId[0]}`);
    return { document: flows[flow]!.versions[Number(versionId[0]) - 1] };
  },
} as unknown as Versions;

const top = draft([
  runs('newest', 'check'),
  map('each', [runs('second', 'check@2')]),
  runs('nowhere', 'look'),
  runs('tenth', 'check@10'),
  runs('broken', ''),
  node('plain'),
]);
const way = async (...steps: string[]) =>
  (await followFlows(api, top, steps)).map(({ flow, version }) => `${flow} ${version?.number}`);

describe('a way into sub-flows', () => {
  it('leads to the version that would run: the published one, a number, an id, its own', async () => {
    expect(await way('newest', 'deep', 'again', 'again')).toEqual(['check 1', 'look 3', 'look 3', 'look 3']);
    expect(await way('second')).toEqual(['check 2']);
    expect(asked).toEqual(['check 1', 'look 3', 'check 2']);
    expect(await way()).toEqual([]);
  });

  it.each([
    [['gone'], 'node', undefined],
    [['plain'], 'node', undefined],
    [['newest', 'newest'], 'node', undefined],
    [['broken'], 'name', undefined],
    [['nowhere'], 'published', 'look'],
    [['tenth'], 'version', 'check'],
  ] as const)('says where and why it ends: %j, %s', async (steps, missing, flow) => {
    const ends = await way(...steps).catch((error: unknown) => error);
    expect(ends).toBeInstanceOf(WayEnds);
    expect(ends).toMatchObject({ missing, flow, step: steps.at(-1) });
  });
});
