import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ordersServer } from './mcp-orders.ts';

// The server of orders as a process, started by a worker. It ends with the pipe to its client, as the protocol has it.

const { LEDGER_URL = '', ABOUT } = process.env;
const { server } = ordersServer({ ledgerUrl: LEDGER_URL, ...(ABOUT !== undefined && { about: ABOUT }) });
process.stdin.on('end', () => process.exit(0));
await server.connect(new StdioServerTransport());
