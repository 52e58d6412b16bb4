export { type McpConfig, readMcpConfig, secretsOf } from './config.ts';
export { McpServers } from './servers.ts';
