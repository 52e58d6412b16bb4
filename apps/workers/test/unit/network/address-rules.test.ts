// Which mistake would this catch? A way of writing a private address that the guard does not recognise.
import { describe, expect, it } from 'vitest';
import { AddressRules } from '../../../src/network/index.ts';

const refuses = (rules: AddressRules, host: string, address = host, port = 80): boolean =>
  rules.refusal(host, address, port) !== undefined;
const none = AddressRules.parse('');

describe('N1, N2: what is private', () => {
  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '100.64.0.1',
    '169.254.169.254',
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    '2001:db8::1',
    '100::1',
    '4000::1',
  ])('refuses %s', (address) => {
    expect(refuses(none, address)).toBe(true);
  });

  it.each([
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '1.1.1.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('lets %s through', (address) => {
    expect(refuses(none, address)).toBe(false);
  });

  it('when a name is refused, the sentence says which and the way out, and not where it leads', () => {
    const refusal = none.refusal('db.internal', '10.1.2.3', 80)!;
    expect(refusal).toMatchObject({ code: 'address_blocked' });
    expect(refusal.message).toMatch(/^db\.internal .*\(private\).*PAWL_ALLOW_PRIVATE_ADDRESSES/);
    expect(refusal.message).not.toContain('10.1');
  });
});

describe('N3: what the configuration allows', () => {
  it('allows networks of both kinds, whichever way the address is written', () => {
    const rules = AddressRules.parse('10.0.0.0/8, fd00::/8,127.0.0.1');
    for (const address of ['10.9.9.9', '::ffff:10.9.9.9', 'fd12::1', '127.0.0.1', '64:ff9b::10.1.1.1'])
      expect(refuses(rules, address), address).toBe(false);
    for (const address of ['11.0.0.1', '127.0.0.2', 'fc00::1', '169.254.169.254', '::1'])
      expect(refuses(rules, address), address).toBe(address !== '11.0.0.1');
  });

  it('allows a port only where one is named', () => {
    const rules = AddressRules.parse('127.0.0.1:8080, [::1]:8080, llm.internal:11434');
    expect(refuses(rules, '127.0.0.1', '127.0.0.1', 8080)).toBe(false);
    expect(refuses(rules, '127.0.0.1', '127.0.0.1', 8081)).toBe(true);
    expect(refuses(rules, '[::1]', '::1', 8080)).toBe(false);
    expect(refuses(rules, '::1', '::1', 80)).toBe(true);
    expect(refuses(rules, 'llm.internal', '10.0.0.7', 11434)).toBe(false);
    expect(refuses(rules, 'llm.internal', '10.0.0.7', 80)).toBe(true);
  });

  it('allows names as they are written, and the names below a star, whatever they lead to', () => {
    const rules = AddressRules.parse('api.corp, *.svc.local');
    for (const name of ['api.corp', 'API.corp', 'api.corp.', 'a.svc.local', 'b.a.svc.local'])
      expect(refuses(rules, name, '10.0.0.7'), name).toBe(false);
    for (const name of ['x.api.corp', 'svc.local', 'evilsvc.local', 'api.corp.evil.example'])
      expect(refuses(rules, name, '10.0.0.7'), name).toBe(true);
    expect(refuses(rules, '10.0.0.7')).toBe(true);
  });

  it.each(['10.0.0.0/33', 'http://x', 'a b', '*', '127.0.0.1:99999', '300.1.1.1/8', '[::1', 'a..b'])(
    'refuses %j, showing it',
    (entry) => {
      expect(() => AddressRules.parse(`10.0.0.1,${entry}`)).toThrow(`has "${entry}"`);
    },
  );
});
