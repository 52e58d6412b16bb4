import { type KeyboardEvent, memo, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditing } from '../../../canvas/editing.ts';
import { loadReads, type Reads } from '../../../canvas/load-reads.ts';
import { type OutlineItem, outlineOf } from '../../../canvas/outline.ts';
import { type Problem, problemsByNode } from '../../../editor/index.ts';
import { useShow } from '../showing.ts';
import { DrawingRows } from './drawing-rows.tsx';
import css from './outline.module.css';
import { OutlineRow } from './outline-row.tsx';

const NONE: readonly Problem[] = [];

/** The flow as a list: each node below those that lead to it, with all that the canvas shows of it and does with it. */
export function Outline({ problems }: { readonly problems: readonly Problem[] }) {
  const { t } = useTranslation();
  const document = useEditing(({ history }) => history.document);
  const last = useEditing(({ selected }) => selected.at(-1));
  const show = useShow();
  const reads = useReads();
  const before = useRef<readonly OutlineItem[]>([]);
  const items = useMemo(() => {
    before.current = outlineOf(document, reads, before.current);
    return before.current;
  }, [document, reads]);
  const byNode = useMemo(() => problemsByNode(problems), [problems]);
  const current = last ?? items[0]?.node.id;
  return (
    <div
      role="group"
      aria-label={t('outline.label')}
      className={css.outline}
      onKeyDown={(event) => goOn(event, show)}
    >
      {items.length === 0 ? (
        <p className={css.empty}>{t('outline.empty')}</p>
      ) : (
        <Items items={items} {...{ byNode, current }} />
      )}
      <DrawingRows />
    </div>
  );
}

const Items = memo(function Items({
  items,
  byNode,
  current,
  label,
  inside,
}: {
  readonly items: readonly OutlineItem[];
  readonly byNode: ReadonlyMap<string, readonly Problem[]>;
  readonly current: string | undefined;
  readonly label?: string;
  readonly inside?: string;
}) {
  const { t } = useTranslation();
  return (
    <ul aria-label={label} data-inside={inside}>
      {items.map((item) => (
        <li key={item.node.id}>
          <OutlineRow
            item={item}
            problems={byNode.get(item.node.id) ?? NONE}
            isCurrent={item.node.id === current}
          />
          {item.inside && item.inside.length > 0 && (
            <Items
              items={item.inside}
              {...{ byNode, current }}
              label={t('outline.inside', { name: item.node.title ?? item.node.id })}
              inside={item.node.id}
            />
          )}
        </li>
      ))}
    </ul>
  );
});

/** Up and down along the rows; right opens a container or goes into it, left folds it or goes out of it. */
function goOn(event: KeyboardEvent<HTMLElement>, show: (id: string) => void): void {
  const row = (event.target as HTMLElement).closest<HTMLElement>('[data-row]');
  if (!row || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
  const at = rows.indexOf(row);
  const fold = row.parentElement?.querySelector<HTMLElement>('[aria-expanded]');
  const outer = row.closest<HTMLElement>('[data-inside]')?.dataset.inside;
  const go = (to: string | undefined) => to !== undefined && show(to);
  switch (event.key) {
    case 'ArrowDown':
      go(rows[at + 1]?.dataset.row);
      break;
    case 'ArrowUp':
      go(rows[at - 1]?.dataset.row);
      break;
    case 'Home':
      go(rows[0]?.dataset.row);
      break;
    case 'End':
      go(rows.at(-1)?.dataset.row);
      break;
    case 'ArrowRight':
      if (fold?.ariaExpanded === 'false') fold.click();
      else if (fold) go(rows[at + 1]?.dataset.row);
      break;
    case 'ArrowLeft':
      if (fold?.ariaExpanded === 'true') fold.click();
      else go(outer);
      break;
    default:
      return;
  }
  event.preventDefault();
}

/** What reads expressions, once it is loaded. */
function useReads(): Reads | undefined {
  const [reads, setReads] = useState<Reads>();
  useEffect(() => {
    let isOver = false;
    void loadReads().then((loaded) => isOver || setReads(() => loaded));
    return () => {
      isOver = true;
    };
  }, []);
  return reads;
}
