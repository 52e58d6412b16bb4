// Would catch: a server that is taken for another kind, an error that shows a credential, a setting that is hidden like a secret.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readMcpConfig, secretsOf } from '../../../src/mcp/index.ts';

const read = (servers: unknown) => readMcpConfig({ PAWL_MCP_SERVERS: JSON.stringify(servers) });
const DEFINITION = 'ab'.repeat(32);

describe('PAWL_MCP_SERVERS', () => {
  it('when it is JSON or the path of a file, the servers are those', () => {
    const servers = {
      files: { command: 'serve', args: ['-x'], env: { A: '1' } },
      github: {
        url: 'https://mcp.example.com/',
        effects: { find: { effect: 'pure', definition: DEFINITION } },
      },
    };
    expect(read(servers)).toEqual(servers);
    const folder = mkdtempSync(join(tmpdir(), 'pawl-mcp-'));
    writeFileSync(join(folder, 'servers.json'), JSON.stringify(servers));
    expect(readMcpConfig({ PAWL_MCP_SERVERS: join(folder, 'servers.json') })).toEqual(servers);
    rmSync(folder, { recursive: true });
    expect(readMcpConfig({})).toEqual({});
  });

  it.each([
    ['{', 'is not JSON'],
    [
      '/no/such/servers.json',
      'neither a JSON object nor a file that can be read (ENOENT): /no/such/servers.json',
    ],
    ['{"Big-Name":{"command":"x"}}', 'names a server "Big-Name"; expected lower-case letters'],
    ['{"a":{}}', 'server a needs a "command" that starts it, or the "url"'],
    ['{"a":{"command":"x","url":"http://x"}}', 'one of them'],
    ['{"a":{"url":"ftp://x"}}', 'server a cannot be used: url'],
    ['{"a":{"command":"x","effects":{"f":{"effect":"harmless","definition":"1"}}}}', 'effects.f.effect'],
    ['{"a":{"command":"x","heders":{"k":"s3cret-value"}}}', 'unknown: heders'],
  ])('V13: %s is refused with what is wrong, and never with a value', (text, message) => {
    expect(() => readMcpConfig({ PAWL_MCP_SERVERS: text })).toThrowError(
      expect.objectContaining({
        message: expect.stringMatching(
          new RegExp(`^PAWL_MCP_SERVERS.*${message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!.*s3cret)`, 's'),
        ),
      }),
    );
  });

  it('V13: values of variables and headers, and what a URL carries, are secrets; settings are not', () => {
    expect(secretsOf({ command: 'x', env: { API_KEY: 'k-12345678', DEBUG: '1' } })).toEqual(['k-12345678']);
    expect(
      secretsOf({
        url: 'https://user:passw0rd%21x@mcp.example.com/?token=t0ken-of-8',
        headers: { Authorization: 'Bearer abcdefgh1' },
      }),
    ).toEqual(['Bearer abcdefgh1', 'abcdefgh1', 'passw0rd!x', 't0ken-of-8']);
  });
});
