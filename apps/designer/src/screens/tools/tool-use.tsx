import type { ToolInfo } from '@pawl/api';
import { useQuery } from '@tanstack/react-query';
import { toolUseQuery } from '../../api/tools.ts';
import { toolRef } from '../../tools/tool-ref.ts';
import { ToolCalls } from './tool-calls.tsx';
import css from './tool-use.module.css';
import { ToolUsers } from './tool-users.tsx';

/** Who calls a tool, and how that went. */
export function ToolUse({ tool }: { readonly tool: ToolInfo }) {
  const use = useQuery(toolUseQuery(toolRef(tool)));
  if (use.isError) return <p role="alert">{use.error.message}</p>;
  if (!use.data) return null;
  const { flows, isCut, calls } = use.data;
  return (
    <div className={css.use}>
      <ToolUsers flows={flows} isCut={isCut} />
      <ToolCalls calls={calls} effect={tool.effect} />
    </div>
  );
}
