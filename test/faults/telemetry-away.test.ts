// Would catch: a collector, a port or a scraper that holds a run up, changes it, or takes a process down.

import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type OtlpReceiver, startOtlpReceiver, tracingEnv } from '../support/otlp-receiver.ts';
import { freePort } from '../support/process.ts';
import { endOf } from '../support/run-to-end.ts';
import { type PawlWithLedger, startWithLedger } from '../support/start-faulty.ts';
import { call, publishFlow } from '../support/watch-run.ts';

/** A queue that is full at once: what nobody takes must be dropped and not waited for. */
const SMALL = { OTEL_BSP_MAX_QUEUE_SIZE: '4', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2' };
const RUNS = 25;

describe('a collector that', () => {
  let pawl: PawlWithLedger;
  let receiver: OtlpReceiver | undefined;
  afterEach(async () => {
    await pawl.stop();
    await receiver?.close();
    receiver = undefined;
  });

  /** Runs end with what they should, and both processes end when they are asked to. */
  async function allIsWell(): Promise<void> {
    const flow = await publishFlow(pawl, [
      call('put', 'put', { args: { what: '{{ input.n }}' } }),
      { id: 'next', kind: 'transform', value: '{{ nodes.put.output.what + 1 }}' },
    ]);
    const started = await Promise.all(
      Array.from({ length: RUNS }, (_, n) => pawl.client.startRun({ body: { flow, input: { n } } })),
    );
    for (const [n, { runId }] of started.entries())
      expect((await endOf(pawl, runId)).run).toMatchObject({ status: 'succeeded', output: { next: n + 1 } });
    expect(await pawl.rowsEqualFold()).toEqual([]);
    for (const process of [...pawl.workers, ...pawl.engines]) {
      process.kill('SIGTERM');
      await process.ended;
    }
  }

  const troubles = () =>
    [...pawl.workers, ...pawl.engines].flatMap(({ log }) =>
      log()
        .split('\n')
        .filter((line) => line.includes('trouble while sending traces')),
    );

  it('is not there: runs end as ever, and the log is not flooded', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    pawl = await startWithLedger({ env: { ...tracingEnv({ url }), ...SMALL } });
    await allIsWell();
    expect(troubles().length).toBeLessThanOrEqual(2);
  });

  it('lies behind a network that swallows everything: the same', async () => {
    pawl = await startWithLedger({
      // A network that is kept for documentation (RFC 5737).
      env: { ...tracingEnv({ url: 'http://192.0.2.1:4318' }), ...SMALL, OTEL_EXPORTER_OTLP_TIMEOUT: '500' },
    });
    await allIsWell();
  });

  it('refuses: the same, and the log says with what', async () => {
    receiver = await startOtlpReceiver();
    receiver.mood = 'refuses';
    pawl = await startWithLedger({ env: tracingEnv(receiver) });
    await allIsWell();
    expect(receiver.requests()).toBeGreaterThan(0);
    expect(troubles().join('\n')).toMatch(/"detail":"[^"]+"/);
    expect(troubles().length).toBeLessThanOrEqual(2);
  });

  it('never answers: the same, and nobody waits for it when processes end', async () => {
    receiver = await startOtlpReceiver();
    receiver.mood = 'hangs';
    pawl = await startWithLedger({ env: { ...tracingEnv(receiver), ...SMALL } });
    await allIsWell();
    expect(receiver.requests()).toBeGreaterThan(0);
  });

  it('comes back: spans come again', async () => {
    receiver = await startOtlpReceiver();
    receiver.mood = 'refuses';
    pawl = await startWithLedger({ env: tracingEnv(receiver) });
    const flow = await publishFlow(pawl, [call('put', 'put')]);
    const first = await pawl.client.startRun({ body: { flow } });
    await endOf(pawl, first.runId);
    await expect.poll(() => receiver!.requests()).toBeGreaterThan(0);
    receiver.mood = 'takes';
    const second = await pawl.client.startRun({ body: { flow } });
    await endOf(pawl, second.runId);
    await expect
      .poll(() =>
        receiver!.of(
          ({ name, attributes }) => name === `run ${flow}` && attributes['pawl.run.id'] === second.runId,
        ),
      )
      .toHaveLength(1);
    expect(receiver.faults).toEqual([]);
  });
});

describe('metrics of a worker', () => {
  let pawl: PawlWithLedger;
  afterEach(() => pawl.stop());

  it('when their port is taken, the worker says so and works', async () => {
    const squatter = createServer().listen(0, '127.0.0.1');
    await once(squatter, 'listening');
    const address = squatter.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    pawl = await startWithLedger({ env: { PAWL_METRICS_PORT: String(port) } });
    const flow = await publishFlow(pawl, [call('put', 'put')]);
    const { runId } = await pawl.client.startRun({ body: { flow } });
    expect((await endOf(pawl, runId)).run.status).toBe('succeeded');
    const line = pawl.workers[0]!.log()
      .split('\n')
      .find((one) => one.includes('metrics cannot be shown'));
    expect(JSON.parse(line!)).toMatchObject({ level: 40, port, err: { code: 'EADDRINUSE' } });
    squatter.close();
  });
});
