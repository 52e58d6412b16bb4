import type { ToolInfo } from '@pawl/api';

/** How a flow names a tool: `<name>@<version>`. */
export const toolRef = ({ name, version }: Pick<ToolInfo, 'name' | 'version'>): string =>
  `${name}@${version}`;
