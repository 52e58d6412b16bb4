import { useIssueTitle } from '../text/use-issue-title.ts';
import css from './issue-list.module.css';

/** Problems, each with the place where it is. */
export function IssueList({
  title,
  issues,
}: {
  readonly title: string;
  readonly issues: readonly {
    readonly place: string;
    /** Of an issue of the core. */
    readonly code?: string | undefined;
    readonly message: string;
    readonly hint?: string | undefined;
  }[];
}) {
  const titleOf = useIssueTitle();
  return (
    <section className={css.issues} role="alert">
      <h3 className={css.title}>{title}</h3>
      <ul>
        {issues.map(({ place, code, message, hint }) => (
          <li key={`${place} ${message}`}>
            {place && <code>{place}</code>} {code && titleOf(code) && <b>{titleOf(code)} · </b>}
            {message}
            {hint && <span className={css.hint}> {hint}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
