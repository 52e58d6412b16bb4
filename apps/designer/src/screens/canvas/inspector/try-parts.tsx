import type { PlannedNode, TestPart } from '@pawl/dag-core';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { findNode } from '../../../editor/index.ts';
import { EffectBadge } from '../../../graph/effect-badge.tsx';
import { chooseTest } from '../../../testing/choices.ts';
import { useTesting, useTestingStore } from '../../../testing/testing.ts';
import { whatIsCalled } from '../../../testing/what-is-called.ts';
import { Button } from '../../../ui/button.tsx';
import css from '../inspector.module.css';
import { partsOf, usePartWords } from '../testing/test-items.tsx';
import { useAtHand } from '../testing/use-at-hand.ts';
import { useEarlierRuns } from '../testing/use-earlier-runs.ts';
import { useInspected } from './inspecting.ts';
import own from './test-tab.module.css';

/** Nodes that are named of one part; the list before the start has them all. */
const MOST_NAMED = 4;

/** Only this, to here, from here: each with what would be called. The button leads to the list in which it is chosen and started. */
export function TryParts() {
  const { t } = useTranslation();
  const { document, node } = useInspected();
  const parts = useMemo(() => partsOf(node.id).slice(1).toReversed(), [node.id]);
  const earlier = useEarlierRuns(document.name);
  const { atHand, registered } = useAtHand(document, earlier.runs[0]?.id);
  const chosen = useTesting((state) => state.remembered.chosen);
  const tests = useMemo(
    () =>
      parts.map((part) => ({
        part,
        called: whatIsCalled(chooseTest(document, part, chosen, atHand, registered)),
      })),
    [parts, document, chosen, atHand, registered],
  );
  return (
    <section aria-label={t('testTab.tryIt')}>
      <h3>{t('testTab.tryIt')}</h3>
      <p className={css.about}>{t('testTab.tryAbout')}</p>
      <ul className={own.parts}>
        {tests.map((test) => (
          <Part key={test.part.do} {...test} />
        ))}
      </ul>
    </section>
  );
}

function Part({
  part,
  called: { calls, held, givenCount },
}: {
  readonly part: TestPart;
  readonly called: ReturnType<typeof whatIsCalled>;
}) {
  const { t } = useTranslation();
  const testing = useTestingStore();
  const wordsOf = usePartWords();
  const named = [...held, ...calls].slice(0, MOST_NAMED);
  const more = held.length + calls.length - named.length;
  return (
    <li className={css.card} aria-label={wordsOf(part)}>
      <Button needs="editor" className={own.start} onClick={() => testing.getState().set({ asked: part })}>
        {wordsOf(part)}
      </Button>
      <ul className={own.calls}>
        {named.map((each) => (
          <Called key={each.node} plan={each} isHeld={held.includes(each)} />
        ))}
        {more > 0 && <li>{t('testTab.more', { count: more })}</li>}
        {calls.length === 0 && <li>{t('testing.sum.calls', { count: 0 })}</li>}
        {givenCount > 0 && <li>{t('testing.sum.given', { count: givenCount })}</li>}
      </ul>
    </li>
  );
}

function Called({ plan, isHeld }: { readonly plan: PlannedNode; readonly isHeld: boolean }) {
  const { t } = useTranslation();
  const { document } = useInspected();
  const { node, effect, calls } = plan;
  const name = findNode(document, node)?.node.title ?? node;
  return (
    <li className={own.call}>
      {effect !== 'model' && <EffectBadge effect={effect} />}
      <span>
        {isHeld
          ? t('testTab.held', { node: name })
          : t('testTab.calls', { node: name, what: calls.join(', ') })}
      </span>
    </li>
  );
}
