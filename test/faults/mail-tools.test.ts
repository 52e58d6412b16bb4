// Would catch: a mail of a flow that is sent twice, or one that is lost because the server put it off.
import { createHash } from 'node:crypto';
import { afterEach, describe, expect, inject, it } from 'vitest';
import {
  type ScriptedSmtp,
  type SmtpStep,
  startScriptedSmtp,
} from '../../apps/workers/test/support/scripted-smtp.ts';
import { type Pawl, startPawl } from '../support/pawl.ts';
import { endOf } from '../support/run-to-end.ts';
import { SHORT_TIMES } from '../support/start-faulty.ts';
import { eventOf, journalOf, startFlow } from '../support/watch-run.ts';

const PASSWORD = 'mail-5ecret-8';
const idOf = (key: string) =>
  `<pawl.${createHash('sha256').update(key).digest('hex').slice(0, 40)}@shop.example>`;
const idIn = (message: string) => /^Message-ID: (\S+)/im.exec(message)?.[1];

describe.each(['postgres', 'redis'] as const)('mail.send, queue on %s', (queue) => {
  let pawl: Pawl | undefined;
  let smtp: ScriptedSmtp | undefined;
  afterEach(async () => {
    await pawl?.stop();
    await smtp?.close();
  });

  it.skipIf(queue === 'redis' && !inject('redisUrl'))(
    'V5: a mail whose answer was lost waits for a person, with its Message-ID; one that was put off is sent again',
    async () => {
      const script: { rcpt?: SmtpStep; end?: SmtpStep } = { end: 'cut' };
      smtp = await startScriptedSmtp(script);
      pawl = await startPawl({
        queue,
        env: {
          ...SHORT_TIMES,
          PAWL_SMTP_URL: `smtp://shop:${PASSWORD}@127.0.0.1:${smtp.port}`,
          PAWL_MAIL_FROM: 'Shop <shop@shop.example>',
        },
      });
      const args = { to: '{{ input.to }}', subject: 'Receipt', text: 'Thank you.' };
      const mail = {
        id: 'mail',
        kind: 'tool',
        tool: 'mail.send@1',
        args,
        retry: { maxAttempts: 3, initialMs: 10, jitter: 0 },
      };
      const start = { to: 'Ana <ana@example.com>' };

      const runId = await startFlow(pawl, [mail as never], { start });
      await eventOf(pawl, runId, 'nodeRun.waiting', ({ data }) => data.status === 'uncertain');
      const id = idOf(`${runId}:mail:0`);
      expect(smtp.messages.map(idIn)).toEqual([id]);
      expect(JSON.stringify(await journalOf(pawl, runId))).toContain(id);
      script.end = undefined;
      await pawl.client.settleNodeRun({
        params: { runId },
        query: { path: 'mail' },
        body: { verdict: 'did_not_happen' },
      });
      const { run } = await endOf(pawl, runId);
      expect(run).toMatchObject({
        status: 'succeeded',
        output: { mail: { messageId: id, accepted: ['ana@example.com'] } },
      });
      expect(smtp.messages.map(idIn)).toEqual([id, id]);

      script.rcpt = '450 come back';
      const later = await startFlow(pawl, [mail as never], { start });
      await eventOf(pawl, later, 'outcome.failed');
      script.rcpt = undefined;
      const ended = await endOf(pawl, later);
      expect(ended.run.status).toBe('succeeded');
      expect(smtp.messages.map(idIn)).toEqual([id, id, idOf(`${later}:mail:0`)]);

      const written = JSON.stringify([await journalOf(pawl, runId), ended.events]) + pawl.workers[0]!.log();
      expect(written).not.toContain(PASSWORD);
      expect(await pawl.rowsEqualFold()).toEqual([]);
    },
  );
});
