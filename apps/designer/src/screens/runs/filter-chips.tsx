import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RunFilters } from '../../app/addresses.ts';
import { WAIT_WORDS } from '../../runs/wait-words.ts';
import { Button } from '../../ui/button.tsx';
import css from './filter-chips.module.css';

const NAMES = ['waitingFor', 'version', 'from', 'to', 'tag', 'costAbove', 'failedNode'] as const;
type FilterName = (typeof NAMES)[number];

/** The filters that are not always there: a chip for each that is set, and a way to set one. */
export function FilterChips({ filters }: { readonly filters: RunFilters }) {
  const { t, i18n } = useTranslation();
  const navigate = useNavigate({ from: '/runs' });
  const [adding, setAdding] = useState<FilterName>();
  const chooser = useRef<HTMLSelectElement>(null);
  const set = (name: FilterName, value: RunFilters[FilterName]) =>
    void navigate({ search: (before) => ({ ...before, [name]: value }) });
  const close = () => {
    setAdding(undefined);
    chooser.current?.focus();
  };
  const valueText = (name: FilterName): string => {
    const value = filters[name];
    if (name === 'waitingFor' && filters.waitingFor) return t(`waitingFor.${filters.waitingFor}`);
    if (name === 'version') return String(value).slice(0, 8);
    if (name === 'from' || name === 'to') return new Date(String(value)).toLocaleString(i18n.language);
    return name === 'costAbove' ? `$${value}` : String(value);
  };
  return (
    <>
      {NAMES.filter((name) => filters[name] !== undefined).map((name) => (
        <Button
          key={name}
          className={css.chip ?? ''}
          aria-label={t('runs.filter.remove', {
            filter: t(`runs.filter.names.${name}`),
            value: valueText(name),
          })}
          title={String(filters[name])}
          onClick={() => {
            set(name, undefined);
            chooser.current?.focus();
          }}
        >
          {/* What is waited for is a whole sentence. */}
          {name !== 'waitingFor' && <span>{t(`runs.filter.names.${name}`)}</span>} <b>{valueText(name)}</b>{' '}
          <span aria-hidden="true">✕</span>
        </Button>
      ))}
      <select
        ref={chooser}
        className={css.add}
        aria-label={t('runs.filter.add')}
        value={adding ?? ''}
        onChange={({ target }) => setAdding((target.value || undefined) as FilterName | undefined)}
      >
        <option value="">{t('runs.filter.add')}</option>
        {NAMES.map((name) => (
          <option key={name} value={name}>
            {t(`runs.filter.names.${name}`)}
          </option>
        ))}
      </select>
      {adding && (
        <FilterForm
          key={adding}
          name={adding}
          onSet={(value) => {
            set(adding, value);
            close();
          }}
          onClose={close}
        />
      )}
    </>
  );
}

/** How each is asked for; what the browser itself refuses is not sent. */
const INPUTS = {
  version: { pattern: '[0-9a-f]{64}' },
  from: { type: 'datetime-local' },
  to: { type: 'datetime-local' },
  tag: { pattern: '[^:]+:.*' },
  costAbove: { type: 'number', min: 0, step: 'any' },
  failedNode: { pattern: '[A-Za-z][A-Za-z0-9_\\-]{0,63}' },
} as const;

/** Who asked for the field goes on there. */
const focusFirst = (field: HTMLElement | null) => field?.focus();

function FilterForm({
  name,
  onSet,
  onClose,
}: {
  readonly name: FilterName;
  readonly onSet: (value: string | number) => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState<string>(name === 'waitingFor' ? 'person' : '');
  const id = useId();
  const label = t(`runs.filter.names.${name}`);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSet(filterOf(name, text));
  };
  return (
    <form className={css.form} onSubmit={submit} onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      <label htmlFor={id}>{label}</label>
      {name === 'waitingFor' ? (
        <select id={id} ref={focusFirst} value={text} onChange={({ target }) => setText(target.value)}>
          {WAIT_WORDS.map((word) => (
            <option key={word} value={word}>
              {t(`waitingFor.${word}`)}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...INPUTS[name]}
          id={id}
          ref={focusFirst}
          required
          placeholder={t(`runs.filter.hints.${name}`)}
          title={t(`runs.filter.hints.${name}`)}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      )}
      <Button type="submit" look="primary">
        {t('runs.filter.set')}
      </Button>
      <Button look="quiet" onClick={onClose}>
        {t('runs.filter.leave')}
      </Button>
    </form>
  );
}

function filterOf(name: FilterName, text: string): string | number {
  if (name === 'costAbove') return Number(text);
  return name === 'from' || name === 'to' ? new Date(text).toISOString() : text;
}
