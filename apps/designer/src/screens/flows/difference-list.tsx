import { useTranslation } from 'react-i18next';
import { type FlowDiff, isLookOnly } from '../../editor/index.ts';
import css from './difference-list.module.css';

/** What differs between two versions, one line for each node, edge and setting. */
export function DifferenceList({ diff }: { readonly diff: FlowDiff }) {
  const { t } = useTranslation();
  if (isLookOnly(diff))
    return (
      <p className={css.none}>
        {t(diff.moved.length + diff.drawings.length > 0 ? 'versions.lookOnly' : 'versions.same')}
      </p>
    );
  const placesOf = (pointers: readonly string[]) => pointers.map((each) => each.slice(1) || '/').join(', ');
  const edgeOf = ({ edge: { from, port, to } }: FlowDiff['edges']['added'][number]) =>
    `${from}${port ? ` (${port})` : ''} → ${to}`;
  const rows = [
    ...diff.nodes.map((node) => ({
      sign: SIGNS[node.change],
      tone: node.change,
      what: node.id,
      words:
        node.change !== 'changed'
          ? t(`versions.changes.${node.change}`)
          : [
              ...(node.was === undefined ? [] : [t('versions.changes.renamed', { was: node.was })]),
              placesOf(node.pointers) || t('versions.changes.changed'),
            ].join(' · '),
    })),
    ...diff.edges.added.map((edge) => ({
      sign: '+',
      tone: 'added' as const,
      what: edgeOf(edge),
      words: t('versions.changes.edgeAdded'),
    })),
    ...diff.edges.removed.map((edge) => ({
      sign: '−',
      tone: 'removed' as const,
      what: edgeOf(edge),
      words: t('versions.changes.edgeRemoved'),
    })),
    ...(diff.settings.length > 0
      ? [
          {
            sign: '~',
            tone: 'changed' as const,
            what: t('versions.settings'),
            words: placesOf(diff.settings),
          },
        ]
      : []),
  ];
  return (
    <ul className={css.list} aria-label={t('versions.differences')}>
      {rows.map(({ sign, tone, what, words }) => (
        <li key={`${sign} ${what} ${words}`}>
          <span className={`${css.sign} ${css[tone]}`} aria-hidden="true">
            {sign}
          </span>
          <span>
            <code>{what}</code> <span className={css.words}>{words}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

const SIGNS = { added: '+', removed: '−', changed: '~' } as const;
