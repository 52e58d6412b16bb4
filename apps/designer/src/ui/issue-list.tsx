import css from './issue-list.module.css';

/** Problems, each with the place where it is. */
export function IssueList({
  title,
  issues,
}: {
  readonly title: string;
  readonly issues: readonly {
    readonly place: string;
    readonly message: string;
    readonly hint?: string | undefined;
  }[];
}) {
  return (
    <section className={css.issues} role="alert">
      <h3 className={css.title}>{title}</h3>
      <ul>
        {issues.map(({ place, message, hint }) => (
          <li key={`${place} ${message}`}>
            {place && <code>{place}</code>} {message}
            {hint && <span className={css.hint}> {hint}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
