/** Acts that need a second operator or owner: asked for, approved, declined, withdrawn, expired, and raced. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Failure } from '#contract/errors.ts';
import { type Approval, fourEyesApi } from '#contract/fourEyes.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import type { Role } from '#contract/roles.ts';
import { staffApi } from '#contract/staff.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { expireRequests } from '#server/jobs/requestMails.ts';
import { referenceOf } from '#server/ledger/ledger.ts';
import * as recentCredits from '#server/ledger/recentCredits.ts';
import { reverseTransaction } from '#server/ledger/reversals.ts';
import { verifyBooks } from '#server/ledger/verify.ts';
import { createAdmin, resetAdminPassword } from '#server/people/admins.ts';
import { endSessions } from '#server/people/sessions.ts';
import { issueLink, makeLinkToken } from '#server/people/staffLinks.ts';
import type { ApiAnswer } from '../../../tests/call.ts';
import { expectRefusal } from '../../../tests/expectRefused.ts';
import { holdLocks } from '../../../tests/holdLocks.ts';
import {
  eventually,
  lockWaits,
  openTestBank,
  type TestBank,
  type TestCustomer,
} from '../../../tests/server.ts';
import { readWholeAuditLog } from './auditLog.ts';

type Member = { id: string; email: string; token: string };

let bank: TestBank;
let owner: string;
let olga: Member;
let otto: Member;

const password = 'a quiet river stone';
let count = 0;
async function aMember(role: Role): Promise<Member> {
  const email = `${role}${++count}@bank.example`;
  const { id } = (await createAdmin(bank.bank.parts, { email, name: `Mia ${role}`, password, role }))!;
  const login = await bank.call(adminApi.adminLogin, { body: { email, password } });
  return { id, email, token: login.body.data.token };
}

beforeAll(async () => {
  bank = await openTestBank({ FOUR_EYES_FROM: '1000', STEP_UP_FROM: 'off' });
  owner = await bank.adminToken();
  olga = await aMember('operator');
  otto = await aMember('operator');
});
afterAll(() => bank.close());

const credit = (
  { accountNumber }: TestCustomer,
  amount: number,
  by = olga.token,
  key?: string,
  description = 'Winter prize',
) =>
  bank.call(adminApi.credit, {
    token: by,
    body: { userAccountNumber: accountNumber, amount, description },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });

/** The approval request in the answer to a call. */
function asked(answer: ApiAnswer<Endpoint>): Approval {
  expect(answer.status).toBe(202);
  return (answer.body.data as unknown as { approval: Approval }).approval;
}

const approve = ({ _id: id }: Approval, token: string, sameCreditId: string | null) =>
  bank.call(fourEyesApi.approveRequest, { token, params: { id }, body: { sameCreditId } });
const decide = (how: 'approve' | 'decline' | 'withdraw', { _id: id }: Approval, token: string) =>
  bank.call(
    {
      approve: fourEyesApi.approveRequest,
      decline: fourEyesApi.declineRequest,
      withdraw: fourEyesApi.withdrawRequest,
    }[how],
    { token, params: { id }, ...(how === 'decline' && { body: { reason: 'Not agreed' } }) },
  );
const read = async ({ _id: id }: Approval) =>
  (await bank.call(fourEyesApi.request, { token: owner, params: { id } })).body.data;
/** The request, once it no longer waits. */
const readEnded = (approval: Approval) =>
  eventually(async () => {
    const found = await read(approval);
    return found.status === 'pending' ? undefined : found;
  });
const balance = async ({ token }: TestCustomer) =>
  (await bank.call(transactionsApi.balance, { token })).body.data.balance;
const endMails = (email: string, subject: string) =>
  eventually(
    () =>
      bank.bank.parts.inbox!.list(email).some(mail => mail.subject === `Request: ${subject}`) || undefined,
  );

test('a credit below the four-eyes amount is posted at once and gets the specification’s answer [ST-80]', async () => {
  const nora = await bank.customer();
  const { status, body } = await credit(nora, 999.99);
  expect(status).toBe(201);
  expect(body.message).toBe(`Successfully credited $999.99 to account ${nora.accountNumber}`);
  expect(await balance(nora)).toBe(999.99);
});

test('an auditor who searches for a reference finds who made, asked for, approved and reversed the transaction, or closed the account that it emptied [SX-11]', async () => {
  const nora = await bank.customer();
  /** Who did what, according to the records that a search for this transaction finds. */
  const acts = async (id: string) => {
    const of = async (query: Record<string, string | number>) => {
      const { records } = (await bank.call(adminApi.auditLog, { token: owner, query })).body.data;
      return records
        .filter(({ action }) => action !== 'transactions.listed')
        .map(({ actorId, action }) => [actorId, action]);
    };
    const found = await of({ search: referenceOf(id), limit: 100 });
    expect(await of({ person: id, limit: 100 })).toEqual(found);
    return found;
  };
  const { _id: made } = (await credit(nora, 44)).body.data as { _id: string };
  const byOlga = [olga.id, 'customer.credited'];
  const posted = ['', 'transactions.posted'];
  expect(await acts(made)).toEqual([byOlga, posted]);

  const reason = 'Wrong customer';
  const params = { id: made };
  await bank.call(adminCustomersApi.reverse, { token: otto.token, params, body: { reason } });
  expect(await acts(made)).toEqual([[otto.id, 'transaction.reversed'], byOlga, posted]);

  const approval = asked(await credit(nora, 2000, otto.token));
  await decide('approve', approval, olga.token);
  const large = (await read(approval)).resultId!;
  expect(await acts(large)).toEqual([
    [olga.id, 'request.approved'],
    [otto.id, 'customer.credited'],
    posted,
    [otto.id, 'request.made'],
  ]);
  const reversal = asked(
    await bank.call(adminCustomersApi.reverse, {
      token: olga.token,
      params: { id: large },
      body: { reason },
    }),
  );
  await decide('decline', reversal, otto.token);
  expect((await acts(large)).slice(0, 2)).toEqual([
    [otto.id, 'request.declined'],
    [olga.id, 'request.made'],
  ]);
  const query = { search: referenceOf(large), actorKind: 'admin', action: 'request.made', limit: 1 };
  const first = (await bank.call(adminApi.auditLog, { token: owner, query })).body.data;
  expect(first).toMatchObject({ records: [{ actorId: olga.id }], hasMore: true });
  // Of what involves the transaction, the records that also involve Otto.
  const both = { search: otto.email, person: large, action: 'customer.credited' };
  expect((await bank.call(adminApi.auditLog, { token: owner, query: both })).body.data.records).toHaveLength(
    1,
  );
  const saved = [];
  for await (const record of readWholeAuditLog(bank.test.database.reader, { person: large }))
    saved.push(record);
  expect(saved.map(({ actorId, action }) => [actorId, action]).reverse()).toEqual(await acts(large));

  const deletion = asked(
    await bank.call(adminApi.deleteUser, { token: otto.token, params: { id: nora._id }, body: { reason } }),
  );
  const closed = (await decide('approve', deletion, olga.token)).body.data.resultId!;
  expect(await acts(closed)).toEqual([
    [olga.id, 'request.approved'],
    [otto.id, 'customer.deleted'],
    [otto.id, 'balance.swept'],
    [otto.id, 'request.made'],
  ]);
  const one = { person: closed, action: 'customer.deleted' };
  const { records } = (await bank.call(adminApi.auditLog, { token: owner, query: one })).body.data;
  expect(records.map(({ details }) => details)).toEqual([`$2,000.00, ${referenceOf(closed)}, ${reason}`]);
});

test('with one operator or owner, every credit is posted at once; a disabled colleague still counts for three days [ST-80, ST-89]', async () => {
  const small = await openTestBank({ FOUR_EYES_FROM: '10' });
  try {
    const nora = await small.customer({ dollars: 5000 });
    expect((await small.call(transactionsApi.balance, { token: nora.token })).body.data.balance).toBe(5000);
    // An invited colleague without a password cannot approve anything yet.
    const body = { email: 'new@bank.example', name: 'Nia', role: 'operator' };
    await small.call(staffApi.inviteMember, { token: await small.adminToken(), body });
    await small.customer({ dollars: 5000 });
    // An owner must not be able to act alone by disabling the colleague.
    const second = { email: 'otis@bank.example', name: 'Otis', password, role: 'operator' } as const;
    const { id } = (await createAdmin(small.bank.parts, second))!;
    const token = await small.adminToken();
    await small.call(staffApi.disableMember, { token, params: { id } });
    const credit = () =>
      small.call(adminApi.credit, {
        token,
        body: { userAccountNumber: nora.accountNumber, amount: 10, description: 'Winter prize' },
      });
    const isOn = async () => (await small.call(fourEyesApi.fourEyes, { token })).body.data.isOn;
    expect((await credit()).status).toBe(202);
    expect(await isOn()).toBe(true);
    await small.test.database.ownerPool.query(
      "UPDATE admins SET disabled_at = disabled_at - interval '3 days' WHERE id = $1",
      [id],
    );
    expect((await credit()).status).toBe(201);
    expect(await isOn()).toBe(false);
  } finally {
    await small.close();
  }
});

test('an administrator who views two requests is audited for each, and only once for the same one within an hour [ST-81]', async () => {
  const nora = await bank.customer();
  const requests = [asked(await credit(nora, 1001)), asked(await credit(nora, 1002))];
  for (const request of [...requests, requests[0]!]) await read(request);
  const viewed = await bank.test.database.ownerPool.query<{ subject: string }>(
    "SELECT subject FROM audit_log WHERE action = 'requests.listed' AND subject = ANY ($1) ORDER BY id",
    [requests.map(({ _id }) => _id)],
  );
  expect(viewed.rows.map(({ subject }) => subject)).toEqual(requests.map(({ _id }) => _id));
});

test('an administrator who requests the same credit as a colleague learns of the other request, and so does the person who decides [ST-81]', async () => {
  const nora = await bank.customer();
  const first = asked(await credit(nora, 1500));
  expect(first).not.toHaveProperty('sameRequestId');
  expect(asked(await credit(nora, 1501))).not.toHaveProperty('sameRequestId');
  const second = asked(await credit(nora, 1500, otto.token, undefined, 'WINTER  prize'));
  expect(second).toMatchObject({ sameRequestId: first._id });
  expect(await read(first)).toMatchObject({ sameRequestId: second._id });
  await decide('withdraw', first, olga.token);
  expect(await read(second)).not.toHaveProperty('sameRequestId');
});

test('an administrator’s request for a credit is answered even if the search for the same credit fails [ST-81]', async () => {
  const nora = await bank.customer();
  const { log } = bank.bank.parts;
  const warn = vi.spyOn(log, 'warn');
  const read = vi.spyOn(recentCredits, 'listRecentCredits').mockRejectedValueOnce(new Error('disk'));
  const request = asked(await credit(nora, 1700));
  expect(read).toHaveBeenCalled();
  expect(warn).toHaveBeenCalledWith(
    expect.objectContaining({ request: request._id }),
    'the same credit could not be looked for',
  );
  expect(request).not.toHaveProperty('sameCredit');
});

test('an administrator who asks for or approves a credit that was made this week learns when, until it is reversed [ST-81]', async () => {
  const nora = await bank.customer();
  const [first, second] = [asked(await credit(nora, 1600)), asked(await credit(nora, 1600, otto.token))];
  const { accountNumber } = nora;
  const recent = async () =>
    (await bank.call(adminApi.accountHolder, { token: owner, params: { accountNumber } })).body.data
      .recentCredits;
  expect(await recent()).toEqual([]);
  const { resultId } = (await decide('approve', first, owner)).body.data;
  expect(await recent()).toMatchObject([{ _id: resultId, amount: 1600, description: 'Winter prize' }]);
  const made = { _id: resultId, reference: expect.stringMatching(/^LB-/), timestamp: expect.any(String) };
  expect((await read(second)).sameCredit).toMatchObject(made);
  expect(await read(second)).not.toHaveProperty('sameRequestId');
  expect(await read(first)).not.toHaveProperty('sameCredit');
  expect(asked(await credit(nora, 1600, olga.token, undefined, 'winter Prize')).sameCredit).toMatchObject(
    made,
  );
  expect(asked(await credit(nora, 1601))).not.toHaveProperty('sameCredit');
  const reason = 'Paid by mistake';
  await bank.bank.parts.database.inTransaction(tx =>
    reverseTransaction(tx, {
      adminId: olga.id,
      transactionId: resultId!,
      reason,
      idempotencyKey: 'r',
      address: '::1',
    }),
  );
  expect(await read(second)).not.toHaveProperty('sameCredit');
  // Credits below the limit are made at once.
  await credit(nora, 20);
  expect(await recent()).toMatchObject([{ amount: 20 }]);
});

test('an approval of a credit is refused if the approver was not shown that the same credit was made; without `sameCreditId` it is made [ST-81]', async () => {
  const nora = await bank.customer();
  const same = async () => asked(await credit(nora, 1800));
  const [first, second, third] = [await same(), await same(), await same()];
  const { resultId } = (await approve(first, owner, null)).body.data;
  const refused = await approve(second, otto.token, null);
  expectRefusal(refused, 'CONFLICT');
  expect(refused.body.message).toMatch(/^Nothing was changed, because the same credit was made on .* \(LB-/);
  expect(await balance(nora)).toBe(1800);
  expect(await read(second)).toMatchObject({ status: 'pending', sameCredit: { _id: resultId } });
  expect((await approve(second, otto.token, resultId!)).body.data.status).toBe('done');
  expectRefusal(await approve(third, owner, resultId!), 'CONFLICT');
  expect((await decide('approve', third, owner)).body.data.status).toBe('done');
  expect(await balance(nora)).toBe(5400);
});

test('two approvers who press at the same moment pay the same credit once [ST-81]', async () => {
  const nora = await bank.customer();
  const requests = [asked(await credit(nora, 1900)), asked(await credit(nora, 1900))] as const;
  const { ownerPool } = bank.test.database;
  const account = 'SELECT FROM ledger_accounts WHERE number = $1 FOR UPDATE';
  const held = await holdLocks(ownerPool, account, nora.accountNumber);
  const answers = [approve(requests[0], owner, null), approve(requests[1], otto.token, null)];
  await eventually(async () => (await lockWaits(ownerPool)) === 2 || undefined);
  await held.query('ROLLBACK');
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await balance(nora)).toBe(1900);
  const states = await Promise.all(requests.map(async request => (await read(request)).status));
  expect(states.toSorted()).toEqual(['done', 'pending']);
});

test('two administrators who make the same credit at the same moment pay it once; without `sameCreditId` it is paid twice [A-56]', async () => {
  const nora = await bank.customer();
  const { accountNumber: userAccountNumber } = nora;
  const body = { userAccountNumber, amount: 60, description: 'Winter prize' };
  const pay = (token: string, sameCreditId: string | null, key: string) =>
    bank.call(adminApi.credit, {
      token,
      body: { ...body, sameCreditId },
      headers: { 'idempotency-key': key },
    });
  const { ownerPool } = bank.test.database;
  const account = 'SELECT FROM ledger_accounts WHERE number = $1 FOR UPDATE';
  const held = await holdLocks(ownerPool, account, userAccountNumber);
  const answers = [pay(olga.token, null, 'same-credit-1'), pay(otto.token, null, 'same-credit-2')];
  await eventually(async () => (await lockWaits(ownerPool)) > 0 || undefined);
  await held.query('ROLLBACK');
  const [first, second] = await Promise.all(answers);
  const [made, refused] = first!.status === 201 ? [first!, second!] : [second!, first!];
  expect(made.body.data).toMatchObject({ amount: 60, status: 'completed' });
  expectRefusal(refused, 'CONFLICT');
  const { _id } = made.body.data as { _id: string };
  expect((refused.body as unknown as Failure).data).toEqual({ sameCreditId: _id });
  expect(await balance(nora)).toBe(60);
  const shown = await pay(otto.token, _id, 'same-credit-3');
  expect(shown.status).toBe(201);
  // A repeat gets its first answer, whatever was shown.
  expect((await pay(otto.token, null, 'same-credit-3')).body.data).toEqual(shown.body.data);
  expect((await credit(nora, 60)).status).toBe(201);
  expect(await balance(nora)).toBe(180);
});

test('a credit whose administrator’s sessions end at the same moment is reported as made, not as refused [A-56, A-65]', async () => {
  const nora = await bank.customer();
  const { id: adminId } = await aMember('operator');
  const { rows } = await bank.test.database.ownerPool.query<{ id: string }>(
    'SELECT id FROM sessions WHERE person_id = $1',
    [adminId],
  );
  const order = {
    adminId,
    sessionId: rows[0]!.id,
    accountNumber: nora.accountNumber,
    amountCents: 700n,
    description: 'Prize',
    idempotencyKey: 'ended-1',
    address: '192.0.2.7',
  };
  const { ledger } = bank.bank.parts;
  const made = await ledger.credit(order, async tx => void (await endSessions(tx, adminId)));
  expect(made).toMatchObject({ status: 'completed' });
  expect(await balance(nora)).toBe(7);
});

test('a large credit waits for a second person, who is mailed, and is posted once when approved [ST-81]', async () => {
  const nora = await bank.customer();
  const approval = asked(await credit(nora, 1000));
  expect(approval).toMatchObject({
    kind: 'credit',
    status: 'pending',
    amount: 1000,
    description: 'Winter prize',
  });
  expect(approval.customer).toMatchObject({ _id: nora._id, accountNumber: nora.accountNumber });
  expect(await balance(nora)).toBe(0);
  await eventually(
    () =>
      bank.bank.parts
        .inbox!.list(otto.email)
        .some(mail => mail.subject === 'A request needs a second person') || undefined,
  );
  expect((await bank.call(fourEyesApi.requests, { token: otto.token })).body.data).toMatchObject({
    requests: expect.arrayContaining([expect.objectContaining({ _id: approval._id })]),
    forYou: expect.any(Number),
  });
  const viewed = await bank.test.database.ownerPool.query(
    "SELECT FROM audit_log WHERE action = 'requests.listed' AND actor_id = $1",
    [otto.id],
  );
  expect(viewed.rows).toHaveLength(1);
  const { status, body } = await decide('approve', approval, otto.token);
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ status: 'done', resultId: expect.any(String) });
  expect(await balance(nora)).toBe(1000);
  expectRefusal(await decide('approve', approval, owner), 'CONFLICT');
  expect(await balance(nora)).toBe(1000);
});

test('no one can approve or decline their own request, and only its maker can withdraw it [ST-82]', async () => {
  const nora = await bank.customer();
  const approval = asked(await credit(nora, 2000));
  expectRefusal(await decide('approve', approval, olga.token), 'FORBIDDEN');
  expectRefusal(await decide('decline', approval, olga.token), 'FORBIDDEN');
  expectRefusal(await decide('withdraw', approval, otto.token), 'FORBIDDEN');
  expect((await decide('withdraw', approval, olga.token)).body.data.status).toBe('withdrawn');
  expectRefusal(await decide('approve', approval, otto.token), 'CONFLICT');
  expect(await balance(nora)).toBe(0);
  for (const { email } of [olga, otto]) await endMails(email, 'Withdrawn');
});

test('a declined request changes nothing, and both people are mailed [ST-83]', async () => {
  const nora = await bank.customer();
  const approval = asked(await credit(nora, 2000));
  const { body } = await decide('decline', approval, otto.token);
  expect(body.data).toMatchObject({ status: 'declined', outcome: 'Not agreed' });
  expect(await balance(nora)).toBe(0);
  for (const { email } of [olga, otto]) await endMails(email, 'Declined');
  // The audit log names what was asked for.
  const query = { person: nora._id };
  const { records } = (await bank.call(adminApi.auditLog, { token: owner, query })).body.data;
  const end = approval._id.slice(-8);
  expect(records.find(({ action }) => action === 'request.made')!.details).toBe(
    `Credit, request ${end}, $2,000.00`,
  );
  expect(records.find(({ action }) => action === 'request.declined')!.details).toBe(
    `Credit, request ${end}, $2,000.00, Not agreed`,
  );
});

test('a request expires after seven days: it cannot be approved, and its maker and the approvers are mailed [ST-83]', async () => {
  const nora = await bank.customer();
  const approval = asked(await credit(nora, 2000));
  const days = (Date.parse(approval.expiresAt) - Date.parse(approval.askedAt)) / 86_400_000;
  expect(days).toBeCloseTo(7);
  await bank.test.database.ownerPool.query('UPDATE approval_requests SET expires_at = now() WHERE id = $1', [
    approval._id,
  ]);
  expect((await read(approval)).status).toBe('expired');
  expectRefusal(await decide('approve', approval, otto.token), 'CONFLICT');
  expect(await expireRequests(bank.bank.parts.database)).toBe(1);
  expect(await expireRequests(bank.bank.parts.database)).toBe(0);
  for (const { email } of [olga, otto]) await endMails(email, 'Expired');
  expect(await balance(nora)).toBe(0);
});

test('once a request has expired, the same act can be requested again [ST-83]', async () => {
  const nora = await bank.customer({ dollars: 20 });
  const remove = () => bank.call(adminApi.deleteUser, { token: olga.token, params: { id: nora._id } });
  const first = asked(await remove());
  expectRefusal(await remove(), 'CONFLICT');
  const expire = 'UPDATE approval_requests SET expires_at = now() WHERE id = $1';
  await bank.test.database.ownerPool.query(expire, [first._id]);
  expect(asked(await remove()).status).toBe('pending');
  expect(await expireRequests(bank.bank.parts.database)).toBe(0);
});

test('an administrator who repeats an act reads that their own request is waiting; a colleague reads that another request is waiting [ST-83]', async () => {
  const nora = await bank.customer({ dollars: 20 });
  const remove = (token: string) => bank.call(adminApi.deleteUser, { token, params: { id: nora._id } });
  const { _id: requestId } = asked(await remove(olga.token));
  const own = (await remove(olga.token)).body as unknown as Failure;
  expect(own).toMatchObject({ message: staffMessages.ownSameRequest, data: { requestId } });
  const other = (await remove(otto.token)).body as unknown as Failure;
  expect(other.message).toBe(staffMessages.sameRequest);
  expect(other).not.toHaveProperty('data');
});

test('calls with the same key make one request, and that key with another body is refused [ST-84]', async () => {
  const nora = await bank.customer();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => credit(nora, 3000, olga.token, 'large-credit-1')),
  );
  const ids = new Set(answers.map(answer => asked(answer)._id));
  expect(ids.size).toBe(1);
  expectRefusal(await credit(nora, 3001, olga.token, 'large-credit-1'), 'IDEMPOTENCY_MISMATCH');
  await decide('approve', asked(answers[0]!), otto.token);
  const again = await credit(nora, 3000, olga.token, 'large-credit-1');
  expect(asked(again).status).toBe('done');
  expect(again.body.message).toBe('This was requested before, and the request is no longer waiting: Done.');
  expect(await balance(nora)).toBe(3000);
});

test('a credit that was posted at once gets the same answer when its key is repeated [ST-84]', async () => {
  const nora = await bank.customer();
  const first = await credit(nora, 500, olga.token, 'small-credit-1');
  expect(first.status).toBe(201);
  expect((await credit(nora, 500, olga.token, 'small-credit-1')).body).toEqual(first.body);
});

test('concurrent approvals of one request post once [ST-85]', async () => {
  const nora = await bank.customer();
  const approval = asked(await credit(nora, 4000));
  const answers = await Promise.all(
    [otto.token, owner, otto.token, owner].map(token => decide('approve', approval, token)),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
  expect(await balance(nora)).toBe(4000);
});

test('of a concurrent approval and withdrawal, only one takes effect [ST-85]', async () => {
  const nora = await bank.customer();
  const approval = asked(await credit(nora, 4000));
  const answers = await Promise.all([
    decide('approve', approval, otto.token),
    decide('withdraw', approval, olga.token),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await balance(nora)).toBe((await read(approval)).status === 'done' ? 4000 : 0);
});

test('an approval whose connection to the database breaks between posting and commit changes nothing, and a later approval posts once [ST-85]', async () => {
  const nora = await bank.customer();
  const approval = asked(await credit(nora, 6000));
  const { ownerPool } = bank.test.database;
  await ownerPool.query(`
    CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
      'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END';
    CREATE TRIGGER die BEFORE UPDATE ON approval_requests FOR EACH ROW EXECUTE FUNCTION die()`);
  const path = fourEyesApi.approveRequest.path.replace('{id}', approval._id);
  const headers = { authorization: `Bearer ${otto.token}` };
  const broken = await fetch(`${bank.url}${path}`, { method: 'POST', headers });
  expect(broken.status).toBe(503);
  await ownerPool.query('DROP TRIGGER die ON approval_requests');
  expect((await read(approval)).status).toBe('pending');
  expect(await balance(nora)).toBe(0);
  expect((await decide('approve', approval, otto.token)).status).toBe(200);
  expect(await balance(nora)).toBe(6000);
});

test('a request fails if its maker was disabled, and the approver is mailed [ST-86]', async () => {
  const nora = await bank.customer();
  const leaver = await aMember('operator');
  const approval = asked(await credit(nora, 5000, leaver.token));
  expect(await read(approval)).not.toHaveProperty('isAskerGone');
  await bank.call(staffApi.disableMember, { token: owner, params: { id: leaver.id } });
  // The opened request warns that an approval will fail.
  expect(await read(approval)).toHaveProperty('isAskerGone', true);
  expectRefusal(await decide('approve', approval, otto.token), 'CONFLICT');
  expect(await read(approval)).toMatchObject({
    status: 'failed',
    outcome: 'The person who asked can no longer do this.',
  });
  await endMails(otto.email, 'Not possible');
  expect(await balance(nora)).toBe(0);
});

test('what an operator asked for before being disabled stays void after the operator is enabled again, and both people read why [ST-86]', async () => {
  const nora = await bank.customer();
  const victim = await aMember('operator');
  const early = asked(await credit(nora, 5000, victim.token));
  await decide('withdraw', early, victim.token);
  const [stolen, raced] = [
    asked(await credit(nora, 200_000, victim.token)),
    asked(await credit(nora, 300_000, victim.token)),
  ];
  const call = { token: owner, params: { id: victim.id } };
  await bank.call(staffApi.disableMember, call);
  // The approval and the enabling each hold a lock that the other one waits for.
  const { ownerPool } = bank.test.database;
  const { _id: ownerId } = (await bank.call(staffApi.adminProfile, { token: owner })).body.data;
  const held = await holdLocks(ownerPool, 'SELECT FROM admins WHERE id = $1 FOR UPDATE', ownerId);
  const waiting = (count: number) =>
    eventually(async () => (await lockWaits(ownerPool)) === count || undefined);
  const enabling = bank.call(staffApi.enableMember, call);
  await waiting(1);
  const approving = decide('approve', raced, otto.token);
  await waiting(2);
  await held.query('ROLLBACK');
  expect((await enabling).status).toBe(200);
  expectRefusal(await approving, 'CONFLICT');
  expect((await read(raced)).status).toBe('failed');
  expectRefusal(await decide('approve', stolen, otto.token), 'CONFLICT');
  expect(await read(stolen)).toMatchObject({
    status: 'failed',
    outcome:
      'The person who asked was logged out everywhere, or got a new password, before a second person approved.',
  });
  for (const { email } of [victim, otto]) await endMails(email, 'Not possible');
  expect((await read(early)).status).toBe('withdrawn');
  const query = { person: nora._id };
  const { records } = (await bank.call(adminApi.auditLog, { token: owner, query })).body.data;
  const failed = records.find(
    ({ action, details }) => action === 'request.failed' && details.includes(stolen._id.slice(-8)),
  );
  expect(failed).toMatchObject({ actorKind: 'system' });
  // What the operator asks for from now on can be approved.
  await resetAdminPassword(bank.bank.parts, { email: victim.email, password });
  const body = { email: victim.email, password };
  const { token } = (await bank.call(adminApi.adminLogin, { body })).body.data;
  const renewed = asked(await credit(nora, 5000, token));
  expect((await decide('approve', renewed, otto.token)).status).toBe(200);
  expect(await balance(nora)).toBe(5000);
});

test('what an operator asked for fails when an owner ends the sessions, even if none is left, or a mailed link sets a new password [ST-86]', async () => {
  const nora = await bank.customer();
  const victim = await aMember('operator');
  const call = { token: owner, params: { id: victim.id } };
  const { ownerPool } = bank.test.database;
  const { database, secrets } = bank.bank.parts;
  const logOut = 'UPDATE sessions SET ended_at = now() WHERE person_id = $1 AND ended_at IS NULL';
  const endSessions = () => bank.call(staffApi.endMemberSessions, call);
  const ends = [
    endSessions,
    async () => {
      await ownerPool.query(logOut, [victim.id]);
      return await endSessions();
    },
    async () => {
      const linkId = await database.inTransaction(tx => issueLink(tx, victim.id));
      const body = { token: makeLinkToken(linkId, secrets.codeKey), password: 'another river stone' };
      return await bank.call(staffApi.setAdminPassword, { body });
    },
  ];
  for (const end of ends) {
    const login = { email: victim.email, password };
    const { token } = (await bank.call(adminApi.adminLogin, { body: login })).body.data;
    const stolen = asked(await credit(nora, 200_000, token));
    expect((await end()).status).toBe(200);
    expectRefusal(await decide('approve', stolen, otto.token), 'CONFLICT');
    expect((await read(stolen)).status).toBe('failed');
  }
  expect(await balance(nora)).toBe(0);
});

test('an operator who loses the role is refused the next act in the same session, and their own waiting request fails [ST-86, ST-71]', async () => {
  const nora = await bank.customer();
  const [asking, deciding] = [await aMember('operator'), await aMember('operator')];
  const demote = async ({ id }: Member) => {
    const change = { token: owner, params: { id }, body: { role: 'support' } };
    const approval = asked(await bank.call(staffApi.changeRole, change));
    expect((await decide('approve', approval, otto.token)).status).toBe(200);
  };
  const [failing, waiting] = [
    asked(await credit(nora, 5000, asking.token)),
    asked(await credit(nora, 6000, olga.token)),
  ];
  await demote(deciding);
  expectRefusal(await decide('approve', waiting, deciding.token), 'FORBIDDEN');
  expect((await read(waiting)).status).toBe('pending');
  await demote(asking);
  expectRefusal(await credit(nora, 1, asking.token), 'FORBIDDEN');
  expectRefusal(await decide('withdraw', failing, asking.token), 'FORBIDDEN');
  expectRefusal(await decide('approve', failing, otto.token), 'CONFLICT');
  expect(await read(failing)).toMatchObject({
    status: 'failed',
    outcome: 'The person who asked can no longer do this.',
  });
  expect(await balance(nora)).toBe(0);
  expect((await decide('approve', waiting, otto.token)).status).toBe(200);
  expect(await balance(nora)).toBe(6000);
});

test('an operator who loses the role while the approval waits for a lock does not approve [ST-86]', async () => {
  const nora = await bank.customer();
  const approval = asked(await credit(nora, 5000));
  const deciding = await aMember('operator');
  const { ownerPool } = bank.test.database;
  const change = await holdLocks(
    ownerPool,
    'SELECT FROM approval_requests WHERE id = $1 FOR UPDATE',
    approval._id,
  );
  const answer = decide('approve', approval, deciding.token);
  await eventually(async () => (await lockWaits(ownerPool, 'approval_requests')) === 1 || undefined);
  await change.query("UPDATE admins SET role = 'support' WHERE id = $1", [deciding.id]);
  await change.query('COMMIT');
  expectRefusal(await answer, 'FORBIDDEN');
  expect((await read(approval)).status).toBe('pending');
  expect(await balance(nora)).toBe(0);
});

test('an operator who saves the unchanged email while a new one is being approved does not undo the change [ST-86]', async () => {
  const nora = await bank.customer();
  const { ownerPool } = bank.test.database;
  const change = await holdLocks(ownerPool, 'SELECT FROM customers WHERE id = $1 FOR UPDATE', nora._id);
  const answer = bank.call(adminCustomersApi.changeCustomer, {
    token: olga.token,
    params: { id: nora._id },
    body: { email: nora.email, reason: 'A letter' },
  });
  await eventually(async () => (await lockWaits(ownerPool, 'FROM customers')) === 1 || undefined);
  await change.query('UPDATE customers SET email = $2 WHERE id = $1', [nora._id, 'new.nora@field.example']);
  await change.query('COMMIT');
  expect((await answer).status).toBe(200);
  const record = await bank.call(adminCustomersApi.customerRecord, {
    token: owner,
    params: { id: nora._id },
  });
  expect(record.body.data.email).toBe('new.nora@field.example');
});

test('a request for a credit fails if the customer’s account was closed in the meantime [ST-86]', async () => {
  const nora = await bank.customer();
  const approval = asked(await credit(nora, 5000));
  await bank.call(adminApi.deleteUser, { token: owner, params: { id: nora._id } });
  expectRefusal(await decide('approve', approval, otto.token), 'CONFLICT');
  expect((await read(approval)).status).toBe('failed');
});

test('when an account closes, every other request about its customer ends, with a mail to the person who asked [ST-83]', async () => {
  const nora = await bank.customer({ dollars: 20 });
  const asking = await aMember('operator');
  const params = { id: nora._id };
  const { token } = asking;
  const others = [
    asked(await credit(nora, 5000, token)),
    asked(await credit(nora, 6000, token)),
    asked(
      await bank.call(adminCustomersApi.changeCustomer, {
        token,
        params,
        body: { email: 'nora.new@field.example', reason: 'A letter' },
      }),
    ),
  ];
  const elsewhere = asked(await credit(await bank.customer(), 5000, token));
  const deletion = asked(await bank.call(adminApi.deleteUser, { token: olga.token, params }));
  const answer = await decide('approve', deletion, otto.token);
  expect(answer.body.data).toMatchObject({ status: 'done', decidedBy: { _id: otto.id } });
  for (const other of others) {
    const ended = await readEnded(other);
    expect(ended).toMatchObject({ status: 'failed', outcome: adminMessages.customerGone });
    expect(ended).not.toHaveProperty('decidedBy');
  }
  expect((await read(elsewhere)).status).toBe('pending');
  expect((await read(deletion)).status).toBe('done');
  await endMails(asking.email, 'Not possible');
  await bank.mailsSent();
  const mails = bank.bank.parts.inbox!.list(asking.email);
  expect(mails.filter(({ subject }) => subject === 'Request: Not possible')).toHaveLength(others.length);
});

test('when the sender’s or the receiver’s account closes, a request to reverse the transfer ends [ST-83]', async () => {
  for (const whose of ['sender', 'receiver'] as const) {
    const [sender, receiver] = [await bank.customer(), await bank.customer()];
    const { body } = await decide('approve', asked(await credit(sender, 3000)), otto.token);
    const rent = { receiverAccountNumber: receiver.accountNumber, amount: 1000, description: 'Rent' };
    expect(body.data.status).toBe('done');
    const sent = await bank.call(transferApi.sendInternal, { token: sender.token, body: rent });
    const id = sent.body.data._id;
    const reversal = asked(
      await bank.call(adminCustomersApi.reverse, {
        token: olga.token,
        params: { id },
        body: { reason: 'Paid twice' },
      }),
    );
    const closed = { sender, receiver }[whose];
    const deletion = await bank.call(adminApi.deleteUser, { token: olga.token, params: { id: closed._id } });
    await decide('approve', asked(deletion), otto.token);
    expect(await readEnded(reversal)).toMatchObject({
      status: 'failed',
      outcome: staffMessages.reversalClosed,
    });
  }
});

test('a request that is made while the customer’s account closes is refused, so that it does not wait in vain [ST-83]', async () => {
  const nora = await bank.customer();
  const { ownerPool } = bank.test.database;
  const held = await holdLocks(ownerPool, 'SELECT FROM customers WHERE id = $1 FOR UPDATE', nora._id);
  const waiting = (n: number) => eventually(async () => (await lockWaits(ownerPool)) === n || undefined);
  const closing = bank.call(adminApi.deleteUser, { token: owner, params: { id: nora._id } });
  await waiting(1);
  const asking = credit(nora, 5000);
  await waiting(2);
  await held.query('ROLLBACK');
  expect((await closing).status).toBe(200);
  expectRefusal(await asking, 'NOT_FOUND');
});

test('deleting a customer with money needs a second person; without money it does not [ST-87]', async () => {
  const rich = await bank.customer({ dollars: 20 });
  const poor = await bank.customer();
  expect((await bank.call(adminApi.deleteUser, { token: olga.token, params: { id: poor._id } })).status).toBe(
    200,
  );
  const body = { reason: 'Asked in writing' };
  const deletes = () => bank.call(adminApi.deleteUser, { token: olga.token, params: { id: rich._id }, body });
  const outdated = asked(await deletes());
  expect(outdated).toMatchObject({ kind: 'deletion', amount: 20, reason: 'Asked in writing' });
  expectRefusal(await deletes(), 'CONFLICT');
  await credit(rich, 1);
  expectRefusal(await decide('approve', outdated, otto.token), 'CONFLICT');
  expect((await read(outdated)).outcome).toBe(
    'The customer has more money now than when this was requested.',
  );
  expect((await bank.call(adminApi.user, { token: owner, params: { id: rich._id } })).status).toBe(200);
  const approval = asked(await deletes());
  expect(approval.amount).toBe(21);
  expect((await decide('approve', approval, otto.token)).status).toBe(200);
  expect((await bank.call(adminApi.user, { token: owner, params: { id: rich._id } })).status).toBe(404);
});

test('a change of role and an invitation of an operator need a second person [ST-87]', async () => {
  const vera = await aMember('viewer');
  const change = () =>
    bank.call(staffApi.changeRole, { token: owner, params: { id: vera.id }, body: { role: 'operator' } });
  const approval = asked(await change());
  expect(approval).toMatchObject({ kind: 'role', role: 'operator', formerRole: 'viewer' });
  expectRefusal(await change(), 'CONFLICT');
  await decide('approve', approval, otto.token);
  const profile = await bank.call(staffApi.adminProfile, { token: vera.token });
  expect(profile.body.data.role).toBe('operator');
  const invite = (role: Role, email: string) =>
    bank.call(staffApi.inviteMember, { token: owner, body: { email, name: 'Una', role } });
  expect((await invite('viewer', 'una@bank.example')).status).toBe(201);
  const invitation = asked(await invite('operator', 'ulla@bank.example'));
  const invited = await decide('approve', invitation, otto.token);
  expect(invited.body.data).toMatchObject({ status: 'done' });
  // An invitation posts no transaction, so the request must not name one.
  expect(invited.body.data).not.toHaveProperty('resultId');
  await eventually(() => (bank.bank.parts.inbox!.list('ulla@bank.example').length > 0 ? true : undefined));
});

test('the audit log says which role or amount a declined request asked for, but no new email, which can be erased [ST-100]', async () => {
  const vera = await aMember('viewer');
  const nora = await bank.customer();
  const requests = [
    await bank.call(staffApi.changeRole, {
      token: owner,
      params: { id: vera.id },
      body: { role: 'support' },
    }),
    await bank.call(fourEyesApi.changeFourEyes, { token: owner, body: { from: 2000 } }),
    await bank.call(adminCustomersApi.changeCustomer, {
      token: olga.token,
      params: { id: nora._id },
      body: { email: 'nora.new@mail.example', reason: 'She asked at the branch' },
    }),
  ].map(asked);
  for (const request of requests) await decide('decline', request, otto.token);
  const recorded = await bank.test.database.ownerPool.query<{ data: object }>(
    `SELECT data - 'request' - 'reason' AS data FROM audit_log
      WHERE action = ANY ($1) AND data->>'request' = ANY ($2) ORDER BY id`,
    [['request.made', 'request.declined'], requests.map(({ _id }) => _id)],
  );
  const details = [{ role: 'support', formerRole: 'viewer' }, { cents: 200_000 }, {}];
  expect(recorded.rows.map(({ data }) => data)).toEqual([...details, ...details]);
  // The request itself keeps the email, until the customer is erased.
  expect((await read(requests[2]!)).email).toBe('nora.new@mail.example');
});

test('a change of the four-eyes amount needs a second person, and the amount can be turned off [ST-88]', async () => {
  const nora = await bank.customer();
  const change = async (from: number | null) => {
    const approval = asked(await bank.call(fourEyesApi.changeFourEyes, { token: owner, body: { from } }));
    expect((await decide('approve', approval, otto.token)).status).toBe(200);
  };
  const limit = async () => (await bank.call(fourEyesApi.fourEyes, { token: owner })).body.data.from;
  expect(await limit()).toBe(1000);
  await change(null);
  expect(await limit()).toBe(null);
  expect((await credit(nora, 1_000_000)).status).toBe(201);
  await change(1000);
  expect(await limit()).toBe(1000);
  expect((await credit(nora, 1000)).status).toBe(202);
});

test('the books have no faults after all these requests [ST-85]', async () => {
  expect((await verifyBooks(bank.bank.parts.database.reader)).faults).toEqual([]);
});
