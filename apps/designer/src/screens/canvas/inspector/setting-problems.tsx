import type { Problem } from '../../../editor/index.ts';
import { useIssueTitle } from '../../../text/use-issue-title.ts';
import { FixButton } from '../fix-button.tsx';
import css from '../inspector.module.css';
import { useInspected } from './inspecting.ts';

/** What is wrong with a setting, and what is worth a warning, beside it. `isExact`: what is below it says so itself. */
export function SettingProblems({
  pointer,
  isExact = false,
}: {
  readonly pointer: string;
  readonly isExact?: boolean;
}) {
  const { problems } = useInspected();
  return (
    <ProblemList
      problems={problems.filter(({ at }) => at === pointer || (!isExact && at.startsWith(`${pointer}/`)))}
    />
  );
}

export function ProblemList({ problems }: { readonly problems: readonly Problem[] }) {
  const titleOf = useIssueTitle();
  return problems.map((problem) => (
    <div key={`${problem.code} ${problem.at} ${problem.message}`} className={css[problem.severity]}>
      <p>
        {titleOf(problem.code) && <b>{titleOf(problem.code)} · </b>}
        {problem.message}
        {problem.hint && !problem.fix && ` · ${problem.hint}`}
      </p>
      <FixButton problem={problem} />
    </div>
  ));
}
