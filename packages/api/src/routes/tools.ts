import { z } from 'zod';
import { ToolName, ToolUse } from '../schemas/index.ts';
import { json, route } from './route.ts';

const byTool = z.object({ tool: ToolName });

export const toolRoutes = {
  getToolUse: route({
    method: 'GET',
    path: '/v1/tools/:tool/use',
    summary:
      'Say which flows call a tool, and how its calls of the last day and week went; calls of pure tools leave no trace',
    tag: 'tools',
    auth: 'viewer',
    params: byTool,
    replies: { 200: json(ToolUse, 'Flows by name, and counts') },
    errors: [],
  }),
};
