import type { Json, NodeConfig } from '@pawl/dag-core';
import { useTranslation } from 'react-i18next';
import { knownPorts } from '../../../editor/index.ts';
import { JsonField } from '../../../forms/json-field.tsx';
import { EffectBadge } from '../../../graph/effect-badge.tsx';
import { KIND_ICONS } from '../../../graph/kinds.tsx';
import type { Choosable, ChosenTest, How } from '../../../testing/choices.ts';
import type { Mock } from '../../../testing/testing.ts';
import css from './plan-list.module.css';

interface PlanListProps {
  readonly test: ChosenTest;
  readonly nameOf: (id: string) => string;
  readonly depthOf: (id: string) => number;
  readonly nodeOf: (id: string) => NodeConfig | undefined;
  readonly mocks: Readonly<Record<string, Mock>>;
  readonly onChoose: (id: string, how: How) => void;
  readonly onMock: (id: string, mock: Mock | undefined) => void;
}

/** Node by node, what a test would do, and what can be chosen instead. */
export function PlanList(props: PlanListProps) {
  const { t } = useTranslation();
  const { test } = props;
  const parts = (['calls', 'given', 'nothing'] as const).flatMap((does) => {
    const count = test.rows.filter(({ plan }) => plan.does === does).length;
    return count > 0 || does === 'calls' ? t(`testing.sum.${does}`, { count }) : [];
  });
  return (
    <>
      <p role="status" className={css.sum}>
        {parts.join(' · ')}
      </p>
      <ul className={css.list}>
        {test.rows.map((row) => (
          <Row key={row.plan.node} row={row} {...props} />
        ))}
      </ul>
    </>
  );
}

function Row({
  row: { plan, how, options },
  nameOf,
  depthOf,
  nodeOf,
  mocks,
  onChoose,
  onMock,
}: PlanListProps & { readonly row: Choosable }) {
  const { t } = useTranslation();
  const node = nodeOf(plan.node);
  if (!node) return null;
  const Icon = KIND_ICONS[node.kind];
  const name = nameOf(plan.node);
  const { effect } = plan;
  const hasBadge = effect !== 'model' && (node.kind === 'tool' || effect !== 'pure');
  const isWaiting = how === 'mocked' && mocks[plan.node] === undefined;
  return (
    <li className={`${css.row} ${css[plan.does]}`}>
      <span className={css.head} style={{ paddingInlineStart: 18 * depthOf(plan.node) }}>
        <Icon size={15} strokeWidth={1.8} aria-hidden="true" />
        <span className={css.name}>{name}</span>
      </span>
      {hasBadge ? <EffectBadge effect={effect} /> : <span />}
      <span className={css.does}>
        <Doing {...{ plan, node, nameOf }} />
        {plan.lacks && (
          <span className={css.warning}>
            {t('testing.lacks', { nodes: plan.lacks.map(nameOf).join(', ') })}
          </span>
        )}
      </span>
      {options.length > 1 ? (
        <select
          aria-label={t('testing.choose', { node: name })}
          value={how}
          onChange={({ target }) => onChoose(plan.node, target.value as How)}
        >
          {options.map((option) => (
            <option key={option} value={option}>
              {option === 'run' && plan.effect !== 'pure'
                ? t('testing.how.call')
                : option === 'off' && !options.includes('run')
                  ? t('testing.how.nothing')
                  : t(`testing.how.${option}`)}
            </option>
          ))}
        </select>
      ) : (
        <span />
      )}
      {how === 'mocked' && (
        <div className={css.mock}>
          <JsonField
            label={t('testing.mock', { node: name })}
            value={mocks[plan.node]?.output}
            onChange={(output) => onMock(plan.node, mockOf(output, mocks[plan.node]?.port))}
          />
          <Ports node={node} mock={mocks[plan.node]} onMock={(mock) => onMock(plan.node, mock)} />
          {isWaiting && <p className={css.warning}>{t('testing.write')}</p>}
        </div>
      )}
    </li>
  );
}

const mockOf = (output: Json | undefined, port: string | undefined): Mock | undefined =>
  output === undefined ? undefined : { output, ...(port && { port }) };

/** Where a node has several ports: by which one it leaves. */
function Ports({
  node,
  mock,
  onMock,
}: {
  readonly node: NodeConfig;
  readonly mock: Mock | undefined;
  readonly onMock: (mock: Mock) => void;
}) {
  const { t } = useTranslation();
  const ports = (knownPorts(node) ?? []).filter((port) => port !== 'error');
  if (ports.length < 2 || !mock) return null;
  return (
    <label className={css.port}>
      {t('testing.port')}
      <select
        value={mock.port ?? ''}
        onChange={({ target }) =>
          onMock({ output: mock.output, ...(target.value && { port: target.value }) })
        }
      >
        {!ports.includes('') && <option value="">{t('testing.noPort')}</option>}
        {ports.map((port) => (
          <option key={port} value={port}>
            {port || t('testing.normalPort')}
          </option>
        ))}
      </select>
    </label>
  );
}

const NAMED = ['approval', 'wait', 'map', 'loop'] as const;
const isNamed = (kind: string): kind is (typeof NAMED)[number] => (NAMED as readonly string[]).includes(kind);

/** What becomes of a node, in a sentence. */
function Doing({
  plan,
  node: { kind },
  nameOf,
}: Pick<PlanListProps, 'nameOf'> & Pick<Choosable, 'plan'> & { readonly node: NodeConfig }) {
  const { t } = useTranslation();
  switch (plan.does) {
    case 'calls':
      return t('testing.calls', { what: plan.calls.join(', ') });
    case 'computes':
      return t(`testing.computes.${isNamed(kind) ? kind : 'other'}`);
    case 'given':
      return t(`testing.given.${plan.origin!}`);
    case 'nothing':
      return t(`testing.nothing.${plan.why!}`, { node: nameOf(plan.because ?? '') });
  }
}
