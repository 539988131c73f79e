/** What counts as a place that somebody has come from before. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { newId } from '../base/uuid.ts';
import { nameDevice } from './device.ts';
import { isKnownOrigin, openSession } from './sessions.ts';

let place: TestDatabase;
beforeAll(async () => {
  place = await cloneDatabase();
});
afterAll(() => place.drop());

type Seen = { userAgent: string; address: string };

/** Whether an arrival is familiar to somebody who has come from these places before, and from no other. */
async function isKnown(arrival: Seen, before: Seen[]): Promise<boolean> {
  const personId = newId();
  const origin = ({ userAgent, address }: Seen) => ({ address, device: nameDevice(userAgent) });
  return await place.database.inTransaction(async tx => {
    for (const one of before) await openSession(tx, { personId, kind: 'customer', ...origin(one) });
    return await isKnownOrigin(tx, personId, origin(arrival));
  });
}

const firefox = (version: number, system = 'X11; Linux x86_64') =>
  `Mozilla/5.0 (${system}; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
const home = { userAgent: firefox(140), address: '198.51.100.7' };

test('a first login is nothing to be told of', async () => {
  expect(await isKnown(home, [])).toBe(true);
});

test.each([
  ['the same browser in its next version', { ...home, userAgent: firefox(141) }],
  ['another address of the same network', { ...home, address: '198.51.7.200' }],
  ['the same address, written as IPv6 writes it', { ...home, address: '::ffff:198.51.100.7' }],
])('%s is known', async (_, arrival) => {
  expect(await isKnown(arrival, [home])).toBe(true);
});

test.each([
  ['another system', { ...home, userAgent: firefox(140, 'Windows NT 10.0; Win64; x64') }],
  ['another network', { ...home, address: '203.0.113.9' }],
  ['another network of the newer kind', { ...home, address: '2001:db8::1' }],
  ['a program that does not say what it is', { ...home, userAgent: '' }],
])('%s is new', async (_, arrival) => {
  expect(await isKnown(arrival, [home])).toBe(false);
});

test('a device and a network that were seen apart are known together', async () => {
  const phone = { userAgent: firefox(140, 'Android 16; Mobile'), address: '203.0.113.9' };
  expect(await isKnown({ ...phone, address: home.address }, [home, phone])).toBe(true);
});
