import type { Json } from '@pawl/dag-core';
import { useMutation } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../api/client.ts';
import { linesOf, wordsOf } from '../../comparing-runs/diff-texts.ts';
import { changesOf, type ValueChange } from '../../comparing-runs/diff-values.ts';
import { likenessOf } from '../../comparing-runs/likeness.ts';
import { readWhole } from '../../run/read-long-value.ts';
import { readableText } from '../../run/readable-text.ts';
import { LongValue, type Value } from '../../run/values.ts';
import { size } from '../../ui/amounts.ts';
import { Button } from '../../ui/button.tsx';
import { ValueView } from '../../ui/value-view.tsx';
import css from './value-diff.module.css';

/** Longest text that is compared unasked, in characters; and how many changes or lines are listed at once. */
const PREVIEW = 64 * 1_024;
const LISTED = 200;

/** One value in both runs: the same, in one of them only, or what differs. */
export function ValueDiff({
  label,
  left,
  right,
  runs,
  isOpen = false,
}: {
  readonly label: string;
  readonly left: Value | undefined;
  readonly right: Value | undefined;
  readonly runs: { readonly left: string; readonly right: string };
  /** What is the same is shown, too. */
  readonly isOpen?: boolean;
}) {
  const { t } = useTranslation();
  if (left === undefined && right === undefined) return null;
  const isSame = likenessOf(left) === likenessOf(right);
  const state = isSame
    ? 'same'
    : left === undefined
      ? 'onlyRight'
      : right === undefined
        ? 'onlyLeft'
        : 'differs';
  return (
    <section className={css.value} aria-label={label}>
      <h3>
        {label} <span className={css.state}>{t(`compare.value.${state}`)}</span>
      </h3>
      {state === 'differs' ? (
        <Differing left={left!} right={right!} runs={runs} />
      ) : (
        <details open={isOpen || !isSame}>
          <summary>{t('compare.value.show')}</summary>
          <ValueView
            runId={left === undefined ? runs.right : runs.left}
            value={(left ?? right)!}
            label={label}
          />
        </details>
      )}
    </section>
  );
}

const textOf = (value: Value): string =>
  value instanceof LongValue
    ? readableText(value.preview)
    : typeof value === 'string'
      ? value
      : JSON.stringify(sorted(value), undefined, 2);

/** The order of members is no difference. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Readonly<Record<string, Json>>;
  return Object.fromEntries(
    Object.keys(members)
      .sort()
      .map((key) => [key, sorted(members[key]!)]),
  );
}

const bytesOf = (value: Value, text: string): number =>
  value instanceof LongValue ? value.bytes : text.length;

/** Of long values their beginnings are compared, and the whole when somebody asks for that. */
function Differing({
  left,
  right,
  runs,
}: {
  readonly left: Value;
  readonly right: Value;
  readonly runs: { readonly left: string; readonly right: string };
}) {
  const { t } = useTranslation();
  const [isWhole, setWhole] = useState(false);
  const [one, other] = useMemo(() => [textOf(left), textOf(right)], [left, right]);
  const load = useMutation({
    mutationFn: () =>
      Promise.all(
        (
          [
            ['left', left],
            ['right', right],
          ] as const
        ).map(([side, value]) => (value instanceof LongValue ? readWhole(api, runs[side], value) : value)),
      ),
    onSuccess: () => setWhole(true),
  });
  const isLong =
    [left, right].some((value) => value instanceof LongValue) || one.length + other.length > 2 * PREVIEW;
  if (!isLong) return <WholeDiff left={left as Json} right={right as Json} />;
  if (isWhole && load.data) return <WholeDiff left={load.data[0]!} right={load.data[1]!} />;
  return (
    <>
      <p className={css.note}>
        {t('compare.value.begins', { left: size(bytesOf(left, one)), right: size(bytesOf(right, other)) })}{' '}
        <Button disabled={load.isPending} onClick={() => load.mutate()}>
          {t('compare.value.whole')}
        </Button>
      </p>
      {load.isError && <p role="alert">{load.error.message}</p>}
      <Sides left={one.slice(0, PREVIEW)} right={other.slice(0, PREVIEW)} />
    </>
  );
}

function WholeDiff({ left, right }: { readonly left: Json; readonly right: Json }) {
  const { values } = useSearch({ from: '/compare' });
  if (values === 'sides') return <Sides left={textOf(left)} right={textOf(right)} />;
  if (typeof left === 'string' && typeof right === 'string') return <Words left={left} right={right} />;
  return <Changes left={left} right={right} />;
}

/** Two texts as one: what is gone struck through, what came marked. */
function Words({ left, right }: { readonly left: string; readonly right: string }) {
  const parts = useMemo(() => wordsOf(left, right), [left, right]);
  return (
    <p className={css.words}>
      {parts.map((part, at) =>
        part.in === 'both' ? (
          part.text
        ) : part.in === 'left' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name.
          <del key={at}>{part.text}</del>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name.
          <ins key={at}>{part.text}</ins>
        ),
      )}
    </p>
  );
}

const SIGNS = { add: '+', remove: '−', replace: '~' } as const;

function Changes({ left, right }: { readonly left: Json; readonly right: Json }) {
  const { t } = useTranslation();
  const changes = useMemo(() => changesOf(left, right), [left, right]);
  return (
    <>
      <ul className={css.changes}>
        {changes.slice(0, LISTED).map((change) => (
          <li key={`${change.op} ${change.pointer}`}>
            <span className={css[change.op]} title={t(`compare.ops.${change.op}`)}>
              <span aria-hidden="true">{SIGNS[change.op]}</span>
              <span className={css.hidden}>{t(`compare.ops.${change.op}`)}</span>
            </span>
            <code>{change.pointer || '/'}</code>
            <Change change={change} />
          </li>
        ))}
      </ul>
      {changes.length > LISTED && (
        <p className={css.note}>{t('compare.value.further', { count: changes.length - LISTED })}</p>
      )}
    </>
  );
}

function Change({ change }: { readonly change: ValueChange }) {
  if (change.op === 'replace' && typeof change.left === 'string' && typeof change.right === 'string')
    return <Words left={change.left} right={change.right} />;
  return (
    <p className={css.words}>
      {change.op !== 'add' && <del>{JSON.stringify(change.left)}</del>}{' '}
      {change.op !== 'remove' && <ins>{JSON.stringify(change.right)}</ins>}
    </p>
  );
}

/** Lines around a difference that are shown. */
const AROUND = 3;

function Sides({ left, right }: { readonly left: string; readonly right: string }) {
  const { t } = useTranslation();
  const lines = useMemo(() => linesOf(left, right), [left, right]);
  const isNear = useMemo(() => {
    const near = new Array<boolean>(lines.length).fill(false);
    lines.forEach(({ isSame }, at) => {
      if (!isSame) near.fill(true, Math.max(0, at - AROUND), at + AROUND + 1);
    });
    return near;
  }, [lines]);
  const kept = lines.map((line, at) => ({ ...line, at })).filter(({ at }) => isNear[at]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys.
    <div className={css.scroll} tabIndex={0} role="group" aria-label={t('compare.views.sides')}>
      <table className={css.lines}>
        <thead>
          <tr>
            <th scope="col">{t('compare.left')}</th>
            <th scope="col">{t('compare.right')}</th>
          </tr>
        </thead>
        <tbody>
          {kept.slice(0, LISTED * 5).map(({ left: was, right: is, isSame, at }, place) => (
            <tr key={at} data-gap={place > 0 && kept[place - 1]!.at !== at - 1}>
              <td className={isSame ? '' : css.removed}>{was}</td>
              <td className={isSame ? '' : css.added}>{is}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
