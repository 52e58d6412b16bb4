import { z } from 'zod';
import { ToolName, ToolUse, TriedTool, TryTool } from '../schemas/index.ts';
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
  tryTool: route({
    method: 'POST',
    path: '/v1/tools/:tool/tries',
    summary:
      'Call a tool once, as a test run of its own with all that holds for calls: intent, limits, secrets',
    tag: 'tools',
    auth: 'editor',
    params: byTool,
    body: TryTool,
    replies: { 201: json(TriedTool, 'The run') },
    errors: ['tool_not_found', 'arguments_invalid', 'effects_undecided', 'input_invalid', 'queue_full'],
  }),
};
