import css from './code-field.module.css';
import type { EditorProps } from './code-field.tsx';

/** Stands in for the editor of a code field where that cannot be loaded: offline, nothing that is typed may be lost. */
export function PlainEditor({ value, lines = 1, labelledBy, describedBy, onChange, onPause }: EditorProps) {
  return (
    <textarea
      className={css.before}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      rows={Math.max(lines, value.split('\n').length)}
      spellCheck={false}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      onBlur={onPause}
    />
  );
}
