/** Which devices and networks count as known. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { newId } from '../base/uuid.ts';
import { nameDevice } from './device.ts';
import { endSession, endSessions, isKnownOrigin, openSession, revokeSession } from './sessions.ts';

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

test('a device counts as known after its session was logged out, and not after it was ended from elsewhere [FA-01]', async () => {
  const [personId, address] = [newId(), home.address];
  const { database } = testDatabase;
  const open = async (device: string) =>
    (await database.inTransaction(tx => openSession(tx, { personId, kind: 'customer', address, device })))
      .sessionId;
  const areKnown = (...devices: string[]) =>
    database.inTransaction(async tx => {
      const known: boolean[] = [];
      for (const device of devices) known.push(await isKnownOrigin(tx, personId, { address, device }));
      return known;
    });
  const end = (kept: Parameters<typeof endSessions>[2]) =>
    database.inTransaction(tx => endSessions(tx, personId, kept));
  const all = ['Firefox on Linux', 'Edge on Windows', 'Safari on iPhone', 'Chrome on Windows'];
  const opened: string[] = [];
  for (const device of all) opened.push(await open(device));
  const [current, , ended, loggedOut] = opened as [string, string, string, string];
  await database.inTransaction(tx => endSession(tx, loggedOut));
  expect(await database.inTransaction(tx => revokeSession(tx, personId, ended))).toBeDefined();
  expect(
    await database.inTransaction(tx => revokeSession(tx, personId, ended)),
    'it has ended',
  ).toBeUndefined();
  expect(await areKnown(...all)).toEqual([true, true, false, true]);
  expect(await end({ sessionId: current })).toBe(1);
  expect(await areKnown(...all)).toEqual([true, false, false, false]);
  expect(await end({ origin: { address, device: 'Firefox on Linux' } })).toBe(1);
  expect(await areKnown(...all), 'the reset was made there').toEqual([true, false, false, false]);
  expect(await end({ origin: { address, device: 'Edge on Windows' } })).toBe(0);
  expect(await areKnown(...all), 'a reset makes nothing known again').toEqual([false, false, false, false]);
  await open('Firefox on Linux');
  expect(await areKnown(...all)).toEqual([true, false, false, false]);
});
