import type { ModelInfo } from '@pawl/api';
import { Command } from 'cmdk';
import { ChevronDown } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import css from './model-picker.module.css';

/** One of the models, with what it costs. What is set stays, even where nobody offers it now. */
export function ModelPicker({
  label,
  value,
  models,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly models: readonly ModelInfo[];
  readonly onChange: (id: string) => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const chosen = models.find((model) => model.id === value);
  const choose = (next: string) => {
    setOpen(false);
    onChange(next);
  };
  return (
    <div className={css.field}>
      <span id={`${id}-label`} className={css.label}>
        {label}
      </span>
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger id={id} aria-labelledby={`${id}-label ${id}`} className={css.trigger}>
          <span>
            <b>{value || t('inspector.chooseModel')}</b>
            {chosen ? (
              <PriceWords model={chosen} />
            ) : (
              value && <small className={css.absent}>{t('inspector.modelNotOffered')}</small>
            )}
          </span>
          <ChevronDown size={14} aria-hidden="true" />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content className={css.list} align="start" sideOffset={4} role="dialog" aria-label={label}>
            <Command label={label} filter={contains} loop>
              <Command.Input className={css.search} placeholder={t('inspector.searchModels')} />
              <Command.List>
                <Command.Empty className={css.none}>{t('inspector.noModel')}</Command.Empty>
                {models.map((model) => (
                  <Command.Item
                    key={model.id}
                    value={model.id}
                    keywords={[model.title ?? '', model.provider]}
                    className={css.item}
                    onSelect={() => choose(model.id)}
                  >
                    <b>{model.title ?? model.id}</b>
                    <PriceWords model={model} />
                  </Command.Item>
                ))}
              </Command.List>
              <NotInList onChoose={choose} />
            </Command>
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
    </div>
  );
}

/** A provider may know models that nobody lists. */
function NotInList({ onChoose }: { readonly onChoose: (id: string) => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  return (
    <form
      className={css.other}
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        if (text.trim()) onChoose(text.trim());
      }}
    >
      <input
        aria-label={t('inspector.otherModel')}
        placeholder={t('inspector.otherModel')}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => event.stopPropagation()}
      />
    </form>
  );
}

const contains = (value: string, search: string, words: string[] = []): number =>
  [value, ...words].some((word) => word.toLowerCase().includes(search.trim().toLowerCase())) ? 1 : 0;

/** What a model costs, and whether it leaves the machine at all. */
function PriceWords({ model }: { readonly model: ModelInfo }) {
  const { t } = useTranslation();
  const { simulated, inputUsdPerMillion: input, outputUsdPerMillion: output } = model;
  if (simulated) return <small>{t('inspector.simulated')}</small>;
  if (input === undefined || output === undefined) return <small>{t('inspector.noPrice')}</small>;
  return <small>{t('inspector.price', { input: usd(input), output: usd(output) })}</small>;
}

const usd = (amount: number): string => `$${amount < 0.1 ? amount.toFixed(3) : amount.toFixed(2)}`;
