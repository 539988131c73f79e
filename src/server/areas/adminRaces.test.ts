/**
 * Two administrators act at the same time, each on their own process: the result is consistent, and the answer to the later act
 * says what happened.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import type { Bank } from '#server/bank.ts';
import { verifyBooks } from '#server/ledger/verify.ts';
import { createAdmin } from '#server/people/admins.ts';
import { eventually, openSecondBank, openTestBank, type TestBank } from '../../../tests/server.ts';

let bank: TestBank;
let other: Bank;
/** One administrator per process. */
let admins: { url: string; token: string }[];

beforeAll(async () => {
  bank = await openTestBank({ APP_SECRET: 'a secret that both processes of this bank share' });
  const otherProcess = await openSecondBank(bank);
  other = otherProcess.bank;
  const second = { email: 'bo@bank.example', password: 'a quiet river stone' };
  await createAdmin(bank.bank.parts, { ...second, name: 'Bo' });
  admins = [
    { url: bank.url, token: await bank.adminToken() },
    {
      url: otherProcess.url,
      token: (await bank.call(adminApi.adminLogin, { body: second })).body.data.token,
    },
  ];
});
afterAll(async () => {
  await other.stop();
  await bank.close();
});

type Act = { method: string; path: string; body?: object };
const approve: Act = { method: 'PUT', path: adminApi.approve.path };
const verify: Act = { method: 'PUT', path: adminApi.verifyId.path };
const freeze = (isFrozen: boolean): Act => ({
  method: 'PUT',
  path: adminApi.freeze.path,
  body: { isFrozen },
});
const remove: Act = { method: 'DELETE', path: adminApi.deleteUser.path };
const gone = 'This customer no longer exists. The account may have been deleted.';

async function act(admin: number, { method, path, body }: Act, id: string) {
  const { url, token } = admins[admin]!;
  const answer = await fetch(url + path.replace('{id}', id), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, message: ((await answer.json()) as { message: string }).message };
}

/** Both act at the same time. Returns both answers. */
const both = async (first: Act, second: Act, id: string) =>
  await Promise.all([act(0, first, id), act(1, second, id)]);

async function register(withId = false): Promise<{ id: string; email: string }> {
  const form = bank.form();
  if (withId) form.append('idCard', form.get('avatar') as Blob, 'id.webp');
  const { body } = await bank.call(authApi.register, { body: form });
  return { id: body.data._id, email: body.data.email };
}

async function recorded(id: string): Promise<string[]> {
  const request = { token: admins[0]!.token, query: { person: id, actorKind: 'admin' } };
  return (await bank.call(adminApi.auditLog, request)).body.data.records.map(({ action }) => action);
}

const messagesOf = (answers: { message: string }[]) => answers.map(({ message }) => message).sort();

test('two concurrent approvals approve once, and the later one gets the answer that the customer is already approved', async () => {
  const { id, email } = await register();
  const answers = await both(approve, approve, id);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(messagesOf(answers)).toEqual(['Account approved', 'This account was already approved']);
  expect(await recorded(id)).toEqual(['customer.approved']);
  const mails = () => bank.bank.parts.inbox!.list(email).filter(mail => /approved/.test(mail.subject));
  await bank.mailsSent();
  expect(mails()).toHaveLength(1);
});

test('two concurrent ID verifications verify once, and the later one gets the answer that the ID is already verified', async () => {
  const { id } = await register(true);
  const answers = await both(verify, verify, id);
  expect(messagesOf(answers)).toEqual(['ID verified', 'This ID was already verified']);
  expect(await recorded(id)).toEqual(['customer.id-verified']);
});

test('two concurrent freezes freeze once; after a concurrent freeze and unfreeze, the last audit record matches the state', async () => {
  const { id } = await register();
  const same = await both(freeze(true), freeze(true), id);
  expect(messagesOf(same)).toEqual(['This account is already frozen', 'User account frozen successfully']);
  for (let i = 0; i < 5; i++) {
    const answers = await both(freeze(true), freeze(false), id);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const request = { token: admins[0]!.token, params: { id } };
    const { isFrozen } = (await bank.call(adminApi.user, request)).body.data;
    const last = (await recorded(id)).find(action => action !== 'customer.viewed');
    expect(last).toBe(isFrozen ? 'customer.frozen' : 'customer.unfrozen');
  }
});

test('two concurrent deletions delete once, and the later one gets not found', async () => {
  const anna = await bank.customer();
  const answers = await both(remove, remove, anna._id);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 404]));
  expect(messagesOf(answers)).toEqual([gone, 'User has been successfully deleted']);
  expect(await recorded(anna._id)).toEqual(['customer.deleted', 'customer.approved']);
});

test.each([
  ['approved', approve],
  ['verified', verify],
  ['frozen', freeze(true)],
])(
  'a customer who is %s and deleted at the same time ends up deleted, and an act that came too late is answered with not found',
  async (_, other) => {
    for (let i = 0; i < 4; i++) {
      const { id, email } = await register(true);
      const [done, deleted] = await both(other, remove, id);
      expect(deleted).toEqual({ status: 200, message: 'User has been successfully deleted' });
      if (done.status !== 200) expect(done).toEqual({ status: 404, message: gone });
      expect((await recorded(id))[0]).toBe('customer.deleted');
      expect(await act(0, other, id)).toEqual({ status: 404, message: gone });
      // The email can register again, whatever the other administrator did.
      const again = await bank.call(authApi.register, { body: bank.form({ email }) });
      expect(again.status).toBe(201);
    }
    expect((await verifyBooks(bank.test.database.reader)).faults).toEqual([]);
  },
);

test("an approval, a verification and a freeze apply to the customer's next request on every process, and the customer is notified", async () => {
  const { id, email } = await register(true);
  const token = await bank.login(email);
  const getFromBoth = async (path: string) =>
    await Promise.all(
      admins.map(async ({ url }) => {
        const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
        return { status: answer.status, body: (await answer.json()) as { data: Record<string, unknown> } };
      }),
    );
  const statuses = async (path: string) => (await getFromBoth(path)).map(({ status }) => status);
  const profile = async (field: string) =>
    (await getFromBoth(authApi.profile.path)).map(({ body }) => body.data[field]);

  expect(await statuses('/api/v1/user/balance')).toEqual([403, 403]);
  await act(1, approve, id);
  expect(await statuses('/api/v1/user/balance')).toEqual([200, 200]);
  expect(await profile('isVerified')).toEqual([false, false]);
  await act(0, verify, id);
  expect(await profile('isVerified')).toEqual([true, true]);
  await act(1, freeze(true), id);
  expect(await profile('isFrozen')).toEqual([true, true]);
  await act(0, freeze(false), id);
  expect(await profile('isFrozen')).toEqual([false, false]);

  const subjects = ['approved', 'ID document is verified', 'frozen', 'active again'];
  const mails = () => bank.bank.parts.inbox!.list(email).map(mail => mail.subject);
  await eventually(() =>
    subjects.every(subject => mails().some(mail => mail.includes(subject))) ? true : undefined,
  );
  const notifications = await getFromBoth('/api/v1/user/notifications');
  for (const { body } of notifications) {
    const kinds = (body.data.notifications as { kind: string }[]).map(({ kind }) => kind);
    expect(kinds).toEqual(['unfrozen', 'frozen', 'id-verified', 'approved']);
  }
});
