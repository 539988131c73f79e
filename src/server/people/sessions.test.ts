/** Which devices and networks count as known. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { newId } from '../base/uuid.ts';
import { nameDevice } from './device.ts';
import { isKnownOrigin, openSession } from './sessions.ts';

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await cloneDatabase();
});
afterAll(() => testDatabase.drop());

type Seen = { userAgent: string; address: string };

/** Whether a login is from a known device and network, given these earlier logins and no others. */
async function isKnown(request: Seen, earlier: Seen[]): Promise<boolean> {
  const personId = newId();
  const origin = ({ userAgent, address }: Seen) => ({ address, device: nameDevice(userAgent) });
  return await testDatabase.database.inTransaction(async tx => {
    for (const one of earlier) await openSession(tx, { personId, kind: 'customer', ...origin(one) });
    return await isKnownOrigin(tx, personId, origin(request));
  });
}

const firefox = (version: number, system = 'X11; Linux x86_64') =>
  `Mozilla/5.0 (${system}; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
const home = { userAgent: firefox(140), address: '198.51.100.7' };

test('the first login of a customer counts as a login from a known device', async () => {
  expect(await isKnown(home, [])).toBe(true);
});

test.each([
  ['the same browser in its next version', { ...home, userAgent: firefox(141) }],
  ['another address of the same network', { ...home, address: '198.51.7.200' }],
  ['the same address in IPv6 notation', { ...home, address: '::ffff:198.51.100.7' }],
  ['the same address behind NAT64', { ...home, address: '64:ff9b::198.51.100.7' }],
])('%s is known', async (_, request) => {
  expect(await isKnown(request, [home])).toBe(true);
});

test.each([
  ['another system', { ...home, userAgent: firefox(140, 'Windows NT 10.0; Win64; x64') }],
  ['another network', { ...home, address: '203.0.113.9' }],
  ['another network over IPv6', { ...home, address: '2001:db8::1' }],
  ['a client without a User-Agent', { ...home, userAgent: '' }],
])('%s is new', async (_, request) => {
  expect(await isKnown(request, [home])).toBe(false);
});

test('a device and a network that were seen in different logins are known when used together', async () => {
  const phone = { userAgent: firefox(140, 'Android 16; Mobile'), address: '203.0.113.9' };
  expect(await isKnown({ ...phone, address: home.address }, [home, phone])).toBe(true);
});
