import { useReactFlow } from '@xyflow/react';
import { useTranslation } from 'react-i18next';
import { useEditing, useEditingStore } from '../../canvas/editing.ts';
import { findNode, type Problem } from '../../editor/index.ts';
import { useIssueTitle } from '../../text/use-issue-title.ts';
import { FixButton } from './fix-button.tsx';
import css from './problem-bar.module.css';

/** What is wrong with the flow; a click leads to the node that has it. */
export function ProblemBar({ problems }: { readonly problems: readonly Problem[] }) {
  const { t } = useTranslation();
  const titleOf = useIssueTitle();
  const editing = useEditingStore();
  const document = useEditing(({ history }) => history.document);
  const { fitView } = useReactFlow();
  const nameOf = ({ node, graph }: Problem) => {
    const id = node ?? graph.at(-1);
    return id === undefined ? undefined : (findNode(document, id)?.node.title ?? id);
  };
  const lead = ({ node, edge, graph }: Problem) => {
    const id = node ?? edge?.to ?? graph.at(-1);
    if (id === undefined || !findNode(editing.getState().history.document, id)) return;
    editing.getState().select([id]);
    void fitView({ nodes: [{ id }], maxZoom: 1, padding: 0.4 });
  };
  return (
    <section className={css.bar} aria-label={t('canvas.problems')}>
      <h2>
        {problems.length === 0
          ? t('canvas.noProblems')
          : t('canvas.problemCount', { count: problems.length })}
      </h2>
      {problems.length > 0 && (
        <ul>
          {problems.map((problem) => (
            <li key={`${problem.code} ${problem.pointer} ${problem.message}`}>
              <button
                type="button"
                className={`${css.lead} ${css[problem.severity]}`}
                onClick={() => lead(problem)}
              >
                <span aria-hidden="true">{problem.severity === 'error' ? '✕' : '!'}</span>
                <span>
                  {nameOf(problem) && <b>{nameOf(problem)}: </b>}
                  {titleOf(problem.code) && `${titleOf(problem.code)} · `}
                  {problem.message}
                  {problem.hint && !problem.fix && ` · ${problem.hint}`}
                </span>
              </button>
              <FixButton problem={problem} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
