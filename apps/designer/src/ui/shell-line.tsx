import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';
import css from './shell-line.module.css';

/** A command for a shell, to be copied. */
export function ShellLine({ title, command }: { readonly title: string; readonly command: string }) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  return (
    <section className={css.shell}>
      <span>{title}</span>
      <Button
        onClick={async () => {
          await navigator.clipboard.writeText(command);
          setCopied(true);
        }}
        onBlur={() => setCopied(false)}
      >
        <span aria-live="polite">{t(isCopied ? 'flows.start.copied' : 'flows.start.copy')}</span>
      </Button>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys. */}
      <pre tabIndex={0}>{command}</pre>
    </section>
  );
}
