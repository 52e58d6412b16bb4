import { Command } from 'cmdk';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useEditing, useEditingStore } from '../../../canvas/editing.ts';
import { type End, endsOf, onwardPort } from '../../../canvas/ends.ts';
import { refusalText, wrapCircle } from '../../../canvas/refusal-text.ts';
import { knownPorts, type PlacedNode, type Refusal } from '../../../editor/index.ts';
import { KIND_ICONS } from '../../../graph/kinds.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import css from './connecting.module.css';

/** How many ends are listed at once; the rest is found by typing. */
const MOST = 60;

/** Where an edge from a node shall end, by keys: what cannot be an end is listed with the reason, and says it again when it is chosen. */
export function ConnectDialog({
  found: { node, graph },
  onClose,
}: {
  readonly found: PlacedNode;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const editing = useEditingStore();
  const document = useEditing(({ history }) => history.document);
  const ports = knownPorts(node) ?? [''];
  const [port, setPort] = useState(() => onwardPort(document, graph, node));
  const [search, setSearch] = useState('');
  const [refused, setRefused] = useState<Refusal>();
  const { ends, more } = useMemo(
    () => endsOf(document, { graph, from: node.id, port }, search, MOST),
    [document, graph, node.id, port, search],
  );
  const choose = ({ node: { id: to }, refused: reason }: End) => {
    setRefused(reason);
    if (reason) return;
    const edge = { from: node.id, ...(port && { port }), to };
    editing.getState().perform({ do: 'connect', graph, edge });
    onClose();
  };
  return (
    <Dialog title={t('wiring.connect', { name: node.title ?? node.id })} onClose={onClose}>
      {ports.length > 1 && (
        <fieldset className={css.ports}>
          <legend>{t('wiring.port')}</legend>
          {ports.map((each) => (
            <label key={each}>
              <input type="radio" name="port" checked={each === port} onChange={() => setPort(each)} />
              {each || t('wiring.asUsual')}
            </label>
          ))}
        </fieldset>
      )}
      <Command label={t('wiring.ends')} shouldFilter={false} loop>
        <Command.Input
          autoFocus
          className={css.search}
          value={search}
          onValueChange={(text) => {
            setSearch(text);
            setRefused(undefined);
          }}
          placeholder={t('wiring.search')}
        />
        <Command.List className={css.list}>
          {ends.length === 0 && <p className={css.none}>{t('canvas.noneFound')}</p>}
          {ends.map((end) => (
            <EndItem key={end.node.id} end={end} onChoose={choose} />
          ))}
        </Command.List>
      </Command>
      {more > 0 && <p className={css.none}>{t('wiring.more', { count: more })}</p>}
      {refused && (
        <div role="alert" className={css.refused}>
          <p>{refusalText(t, document, refused)}</p>
          {refused.code === 'cycle' && (
            <Button
              onClick={() => {
                wrapCircle(editing.getState(), refused);
                onClose();
              }}
            >
              {t('canvas.refused.wrap')}
            </Button>
          )}
        </div>
      )}
    </Dialog>
  );
}

function EndItem({ end, onChoose }: { readonly end: End; readonly onChoose: (end: End) => void }) {
  const { t } = useTranslation();
  const document = useEditing(({ history }) => history.document);
  const { node, refused } = end;
  const Icon = KIND_ICONS[node.kind];
  return (
    <Command.Item
      value={node.id}
      className={`${css.item} ${refused ? css.illegal : ''}`}
      onSelect={() => onChoose(end)}
    >
      <Icon size={15} strokeWidth={1.8} aria-hidden="true" />
      <span className={css.name}>{node.title ?? node.id}</span>
      <span className={css.note}>
        {refused ? refusalText(t, document, refused) : t(`canvas.kinds.${node.kind}`)}
      </span>
    </Command.Item>
  );
}
