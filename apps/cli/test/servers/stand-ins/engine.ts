// Stands in for the engine in tests of `pawl dev`: speaks the contract, runs one run by itself, keeps nothing.
import type { FlowDocument, RunStatus } from '@pawl/dag-core';
import { startFakeEngine } from '../../support/fake-engine.ts';
import { aJournal, aRun, aVersion, RUN_ID, VERSION_ID } from '../../support/samples.ts';

let document: FlowDocument | undefined;
let status: RunStatus = 'running';
const { document: _, ...version } = aVersion({ flow: 'demo', number: 1 });

const engine = await startFakeEngine(
  {
    publishFlow: ({ body }) => {
      document = body as FlowDocument;
      return { status: 201, body: { version, created: true } };
    },
    startRun: ({ body }) => {
      status = (body as { input: { end: RunStatus } }).input.end;
      return { status: 201, body: { result: 'started', runId: RUN_ID } };
    },
    getRun: () => ({
      body: aRun({
        flow: 'demo',
        status,
        ...(status === 'running' ? { finishedAt: undefined, output: undefined } : {}),
      }),
    }),
    getVersion: () => ({
      body: aVersion({ flow: 'demo', id: VERSION_ID, document: document as FlowDocument }),
    }),
    readEvents: () => ({
      stream: {
        events: aJournal([
          { type: 'run.admitted' },
          { type: 'outcome.succeeded', path: 'first', data: { output: 1 } },
          { type: 'outcome.succeeded', path: 'second', data: { output: 2 } },
        ]),
        ended: status !== 'running',
      },
    }),
  },
  Number(process.env.PAWL_PORT),
);
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
console.log('a line that is no JSON goes to the log');
console.log(JSON.stringify({ ready: true, url: engine.url }));
