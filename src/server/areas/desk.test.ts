/** The desk's daily work: contact messages, unclaimed balances, the day end, and changes of a customer's name and email. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import { authApi } from '#contract/auth.ts';
import { bank as brand } from '#contract/constants.ts';
import { contactApi } from '#contract/contact.ts';
import { contactQueueApi } from '#contract/contactQueue.ts';
import { dayEndApi } from '#contract/dayEnd.ts';
import { adminFactorsApi } from '#contract/factors.ts';
import { type Approval, fourEyesApi } from '#contract/fourEyes.ts';
import { limitsApi } from '#contract/limits.ts';
import type { Role } from '#contract/roles.ts';
import { staffApi } from '#contract/staff.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { unclaimedApi } from '#contract/unclaimed.ts';
import { newId } from '#server/base/uuid.ts';
import { cleanUp } from '#server/jobs/cleanUp.ts';
import { submitPayment } from '#server/jobs/payments.ts';
import { makeFiles } from '#server/jobs/railOutgoing.ts';
import { verifyBooks } from '#server/ledger/verify.ts';
import { createAdmin } from '#server/people/admins.ts';
import { listMessages } from '#server/people/contactMessages.ts';
import { customerPassword } from '../../../tests/call.ts';
import { endExternal } from '../../../tests/endExternal.ts';
import { expectRefusal } from '../../../tests/expectRefused.ts';
import { holdLocks } from '../../../tests/holdLocks.ts';
import { countRowsRead } from '../../../tests/queryPlans.ts';
import { eventually, lockWaits, openTestBank, type TestBank } from '../../../tests/server.ts';

let bank: TestBank;
let owner: string;
let olga: { id: string; token: string };
let sam: { id: string; token: string };

async function aMember(role: Role): Promise<{ id: string; token: string }> {
  const login = { email: `${role}@bank.example`, password: 'a quiet river stone' };
  const { id } = (await createAdmin(bank.bank.parts, { ...login, name: `Mia ${role}`, role }))!;
  return { id, token: (await bank.call(adminApi.adminLogin, { body: login })).body.data.token };
}

beforeAll(async () => {
  bank = await openTestBank({ FOUR_EYES_FROM: '1000' });
  owner = await bank.adminToken();
  olga = await aMember('operator');
  sam = await aMember('support');
});
afterAll(() => bank.close());

const records = async (person: string) => {
  const { body } = await bank.call(adminApi.auditLog, { token: owner, query: { person } });
  return body.data.records.map(({ action }) => action).filter(action => !action.endsWith('.listed'));
};
const mailTo = (email: string, subject: string) =>
  eventually(() => bank.bank.parts.inbox!.list(email).find(mail => mail.subject === subject));

describe('contact messages', () => {
  let count = 0;
  async function aMessage() {
    const email = `ines${++count}@mail.example`;
    const body = { name: 'Ines', email, subject: 'A fee', message: 'Why?\nSee https://evil.example/x' };
    await bank.call(contactApi.sendMessage, { body });
    const { messages } = (await list(sam.token)).body.data;
    return { email, id: messages.find(message => message.email === email)!._id };
  }
  const list = (token: string, kind: 'waiting' | 'mine' | 'closed' = 'waiting') =>
    bank.call(contactQueueApi.messages, { token, query: { list: kind, limit: 100 } });
  const act = (name: 'assignMessage' | 'closeMessage', id: string, token = sam.token) =>
    bank.call(contactQueueApi[name], { token, params: { id } });
  const answer = (id: string, text: string, isDone = false, token = sam.token) =>
    bank.call(contactQueueApi.answerMessage, { token, params: { id }, body: { text, isDone } });

  test('a message waits, is taken, is answered by mail with a quote, and is closed; every act is audited [SD-32, SD-33]', async () => {
    const { email, id } = await aMessage();
    const before = (await list(olga.token)).body.data;
    expect(before.messages.at(-1)).toMatchObject({ _id: id, state: 'open', answers: 0 });
    expect((await act('assignMessage', id)).body.data).toMatchObject({
      state: 'assigned',
      owner: { _id: sam.id, name: 'Mia support' },
      message: 'Why?\nSee https://evil.example/x',
    });
    expect((await list(olga.token)).body.data.forYou).toBe(before.forYou - 1);
    expect((await list(sam.token, 'mine')).body.data.messages.map(({ _id }) => _id)).toContain(id);
    const answered = await answer(id, 'There is no fee.', true);
    expect(answered.body.data).toMatchObject({
      state: 'closed',
      answers: [{ authorName: 'Mia support', text: 'There is no fee.' }],
    });
    // A client that missed the response repeats the request.
    expect((await answer(id, 'There is no fee.', true)).body.data.answers).toHaveLength(1);
    const { text } = await mailTo(email, 'Our answer to your message');
    expect(text).toContain('There is no fee.');
    expect(text).toContain('> A fee\n> \n> Why?\n> See https:\u200b//evil.\u200bexample/x');
    await bank.mailsSent();
    expect(bank.bank.parts.inbox!.list(email)).toHaveLength(1);
    expect((await list(sam.token, 'closed')).body.data.messages[0]!._id).toBe(id);
    expect(await records(id)).toEqual(['message.closed', 'message.answered', 'message.assigned']);
  });

  test('a stranger’s words are only in the quote of the answer, and a customer who writes from their own email is greeted [SD-33]', async () => {
    const ann = await bank.customer();
    const send = async (email: string, token?: string) => {
      const words = 'your account is locked, call 555 0100';
      const body = { name: words, email, subject: `Alarm: ${words}`, message: `M ${words}` };
      await bank.call(contactApi.sendMessage, { ...(token && { token }), body });
      const { messages } = (await list(sam.token)).body.data;
      await answer(messages.find(message => message.email === email)!._id, 'We can’t help.', true);
    };
    // A customer who is logged in can type another person's email too.
    for (const [email, token] of [['a@victim.example'], ['b@victim.example', ann.token]] as const) {
      await send(email, token);
      const { text, html } = await mailTo(email, 'Our answer to your message');
      const quote = text.indexOf('from someone who gave this email address.');
      expect(quote).toBeGreaterThan(0);
      expect(text.indexOf('555 0100')).toBeGreaterThan(quote);
      expect(text).not.toMatch(/^(?!> ).*555 0100/m);
      expect(html.replace(/<blockquote.*?<\/blockquote>/s, '')).not.toContain('555 0100');
    }
    await send(ann.email, ann.token);
    const { text } = await mailTo(ann.email, 'Re: Alarm: your account is locked, call 555 0100');
    expect(text).toContain('Hi Nora,');
    expect(text).toContain('To write back, reply to this email.');
  });

  test('a customer who writes while logged in comes before the strangers who wrote earlier [SD-32]', async () => {
    const strangers = 2_000;
    const { ownerPool, pool, reader } = bank.test.database;
    await ownerPool.query(`
      INSERT INTO contact_messages (id, name, email, subject, message, address)
      SELECT gen_random_uuid(), 'X', 'x' || n || '@mail.example', 'S', 'M', '192.0.2.1' FROM generate_series(1, ${strangers}) n`);
    const { token } = await bank.seeded();
    const body = { name: 'Nora', email: 'nora@mail.example', subject: 'My card', message: 'Please call.' };
    await bank.call(contactApi.sendMessage, { token, body });
    await ownerPool.query('VACUUM ANALYZE contact_messages');
    const { messages } = (await list(sam.token)).body.data;
    expect(messages[0]).toMatchObject({ subject: 'My card', isLoggedIn: true });
    expect(messages.slice(1).every(({ isLoggedIn }) => !isLoggedIn)).toBe(true);
    // The two counts read every waiting message. The page reads only its own rows.
    const read = (explaining: typeof reader) =>
      listMessages(explaining, { list: 'waiting', page: 1, limit: 25 }, { adminId: sam.id, role: 'support' });
    expect(await countRowsRead(pool, read)).toBeLessThan(2 * strangers + 1_000);
    await ownerPool.query("DELETE FROM contact_messages WHERE subject IN ('S', 'My card')");
  });

  test('a closed message cannot be answered until it is taken again [SD-32]', async () => {
    const { email, id } = await aMessage();
    expect((await act('closeMessage', id)).body.data.state).toBe('closed');
    expectRefusal(await answer(id, 'Too late'), 'CONFLICT');
    expect((await act('assignMessage', id)).body.data).toMatchObject({
      state: 'assigned',
      owner: { _id: sam.id },
    });
    expect((await answer(id, 'In time')).body.data.state).toBe('assigned');
    await mailTo(email, 'Our answer to your message');
  });

  test('an answer from a screen that does not show a colleague’s answer is refused, and an answer whose response was lost is sent once [SD-32]', async () => {
    const { id } = await aMessage();
    const send = (token: string, text: string, answersSeen: number) =>
      bank.call(contactQueueApi.answerMessage, {
        token,
        params: { id },
        body: { text, answersSeen, takenFrom: sam.id },
      });
    expect((await send(sam.token, 'It is the monthly fee.', 0)).status).toBe(200);
    const late = await send(olga.token, 'There is no fee.', 0);
    expectRefusal(late, 'CONFLICT');
    expect(late.body.message).toBe('Another answer was sent first. Read it before you send yours.');
    expect((await send(sam.token, 'It is the monthly fee.', 0)).status).toBe(200);
    const { answers } = (await send(olga.token, 'We will return it.', 1)).body.data;
    expect(answers.map(({ text }) => text)).toEqual(['It is the monthly fee.', 'We will return it.']);
  });

  test('an administrator who answers or closes a message from an old screen learns which colleague has it [SD-32]', async () => {
    const { id } = await aMessage();
    await act('assignMessage', id);
    const answerIt = (takenFrom?: string) =>
      bank.call(contactQueueApi.answerMessage, {
        token: olga.token,
        params: { id },
        body: { text: 'There is no fee.', ...(takenFrom && { takenFrom }) },
      });
    for (const late of [await answerIt(), await act('closeMessage', id, olga.token)]) {
      expectRefusal(late, 'CONFLICT');
      expect(late.body).toMatchObject({
        message: 'This is now assigned to Mia support. To go ahead anyway, press again.',
        data: { owner: { _id: sam.id, name: 'Mia support' } },
      });
    }
    expect((await answerIt(sam.id)).body.data.answers).toHaveLength(1);
    const params = { token: olga.token, params: { id }, body: { takenFrom: sam.id } };
    expect((await bank.call(contactQueueApi.closeMessage, params)).body.data.state).toBe('closed');
  });

  test('an administrator who takes a message from an old screen learns which colleague has it, and can take it over [SD-32]', async () => {
    const { id } = await aMessage();
    const take = (token: string, from?: string) =>
      bank.call(contactQueueApi.assignMessage, {
        token,
        params: { id },
        ...(from && { body: { takenFrom: from } }),
      });
    await take(sam.token);
    const late = await take(olga.token);
    expectRefusal(late, 'CONFLICT');
    expect(late.body).toMatchObject({
      message: 'This is now assigned to Mia support. You can take it over.',
      data: { owner: { _id: sam.id, name: 'Mia support' } },
    });
    expect((await list(sam.token, 'mine')).body.data.messages.map(({ _id }) => _id)).toContain(id);
    expect((await take(olga.token, sam.id)).body.data.owner?._id).toBe(olga.id);
    expectRefusal(await take(sam.token), 'CONFLICT');
    expect(await records(id)).toEqual(['message.assigned', 'message.assigned']);
  });

  test('a message of a customer is erased with its answers when the customer is deleted [SD-33]', async () => {
    const nora = await bank.customer();
    const body = { name: 'Nora', email: nora.email, subject: 'Hello', message: 'It is me' };
    await bank.call(contactApi.sendMessage, { body });
    const found = (await list(sam.token)).body.data.messages.find(({ email }) => email === nora.email)!;
    const read = () =>
      bank.call(contactQueueApi.contactMessage, { token: sam.token, params: { id: found._id } });
    expect((await read()).body.data.customer).toMatchObject({ _id: nora._id, name: 'Nora Quist' });
    await answer(found._id, 'Hello');
    await bank.call(adminApi.deleteUser, { token: owner, params: { id: nora._id } });
    expectRefusal(await read(), 'NOT_FOUND');
    const { rows } = await bank.test.database.ownerPool.query(
      'SELECT FROM contact_answers WHERE message_id = $1',
      [found._id],
    );
    expect(rows).toEqual([]);
  });
});

test('a message shows the customer who was logged in when sending it; without a login, it shows the customer who has the email, marked as not logged in [SD-34]', async () => {
  const [nora, ben] = [await bank.customer(), await bank.customer({ firstName: 'Ben' })];
  const send = (email: string, token?: string) =>
    bank.call(contactApi.sendMessage, {
      body: { name: 'Nora Quist', email, subject: 'My card', message: 'Send it to my new address' },
      ...(token !== undefined && { token }),
    });
  const newest = async () => {
    const query = { list: 'waiting', limit: 100 };
    const { messages } = (await bank.call(contactQueueApi.messages, { token: sam.token, query })).body.data;
    const params = { id: messages.sort((a, b) => a.at.localeCompare(b.at)).at(-1)!._id };
    return (await bank.call(contactQueueApi.contactMessage, { token: sam.token, params })).body.data;
  };
  await send(nora.email);
  expect(await newest()).toMatchObject({ isLoggedIn: false, customer: { _id: nora._id } });
  await send(nora.email, ben.token);
  expect(await newest()).toMatchObject({ isLoggedIn: true, customer: { _id: ben._id, name: 'Ben Quist' } });
  for (const token of ['nonsense', owner]) {
    expect((await send(nora.email, token)).status).toBe(201);
    expect(await newest()).toMatchObject({ isLoggedIn: false, isOwnEmail: false });
  }
});

test('a message that an applicant sends in a customer’s name, or a thief at a customer’s open session with their own email, says who was logged in and that this is not their email [SD-34]', async () => {
  const vera = await bank.customer({ firstName: 'Vera' });
  const impostor = await bank.customer({ firstName: 'Vera', approved: false });
  const mailOf = async (email: string, token: string) => {
    const subject = `Lost phone ${newId()}`;
    const body = { name: 'Vera Quist', email, subject, message: 'Please remove my app.' };
    await bank.call(contactApi.sendMessage, { body, token });
    const query = { list: 'waiting', limit: 100 };
    const { messages } = (await bank.call(contactQueueApi.messages, { token: sam.token, query })).body.data;
    const listed = messages.find(message => message.subject === subject)!;
    const params = { id: listed._id };
    const opened = (await bank.call(contactQueueApi.contactMessage, { token: sam.token, params })).body.data;
    const { text } = await mailTo(brand.supportEmail, `Help Desk: ${subject}`);
    return { listed, opened, text };
  };
  const other = 'The name and email above may be someone else’s.';
  const forged = await mailOf(vera.email, impostor.token);
  for (const shown of [forged.listed, forged.opened])
    expect(shown).toMatchObject({
      isLoggedIn: true,
      isOwnEmail: false,
      customer: { _id: impostor._id, name: 'Vera Quist', isApproved: false },
    });
  expect(forged.text).toContain(`Logged in: The applicant Vera Quist was logged in. ${other}`);
  const thief = await mailOf('thief@evil.example', vera.token);
  expect(thief.listed).toMatchObject({
    isLoggedIn: true,
    isOwnEmail: false,
    customer: { _id: vera._id, isApproved: true },
  });
  expect(thief.text).toContain(`Logged in: The customer Vera Quist was logged in. ${other}`);
  const own = await mailOf(vera.email, vera.token);
  expect(own.listed).toMatchObject({ isLoggedIn: true, isOwnEmail: true, customer: { _id: vera._id } });
  expect(own.text).toContain('Logged in: Yes, as the customer who has this email');
  // Staff have changed the email since, and no mail has proven the new one.
  await bank.test.database.ownerPool.query('UPDATE customers SET email_proven_at = NULL WHERE id = $1', [
    vera._id,
  ]);
  expect((await mailOf(vera.email, vera.token)).listed).toMatchObject({
    isLoggedIn: true,
    isOwnEmail: false,
  });
});

describe('unclaimed balances', () => {
  /** Deletes a customer who has this many dollars. Returns the account number. */
  async function aClosedAccount(dollars: number): Promise<string> {
    const { _id: id, accountNumber } = await bank.customer({ dollars: Math.min(dollars, 999) });
    if (dollars > 999) {
      const { ledger } = bank.bank.parts;
      const credit = {
        adminId: olga.id,
        sessionId: null,
        accountNumber,
        description: 'more',
        address: '::1',
      };
      await ledger.credit({ ...credit, amountCents: BigInt(dollars - 999) * 100n });
    }
    const params = { id };
    const asked = await bank.call(adminApi.deleteUser, { token: owner, params });
    const { approval } = asked.body.data as unknown as { approval: Approval };
    const approved = await approve(approval, olga.token);
    expect(approved.status).toBe(200);
    return accountNumber;
  }
  const approve = ({ _id: id }: Approval, token: string) =>
    bank.call(fourEyesApi.approveRequest, { token, params: { id } });
  const list = async (search: string, kind: 'waiting' | 'paid' = 'waiting') =>
    (await bank.call(unclaimedApi.unclaimedBalances, { token: sam.token, query: { list: kind, search } }))
      .body.data;
  const bankAccount = { bankName: 'First Harbor', accountName: 'Ines Caldeira', accountNumber: '12345678' };
  const payOut = (id: string, key: string, accountNumber = '12345678', token = olga.token) =>
    bank.call(unclaimedApi.payOutUnclaimed, {
      token,
      params: { id },
      body: { ...bankAccount, accountNumber, reason: 'Letter of Nov 20' },
      headers: { 'idempotency-key': key },
    });
  /** Asks for a payout to another bank and approves it as the owner. Returns the id of the transaction. */
  const payOutApproved = async (id: string, key: string): Promise<string> => {
    const { approval } = (await payOut(id, key)).body.data as { approval: Approval };
    const done = await approve(approval, owner);
    expect(done.body.data).toMatchObject({ status: 'done', resultId: expect.any(String) });
    return done.body.data.resultId!;
  };
  const assign = (id: string, receiverAccountNumber: string) =>
    bank.call(unclaimedApi.assignUnclaimed, {
      token: olga.token,
      params: { id },
      body: { receiverAccountNumber, reason: 'Came back to the branch' },
    });
  /** Ends the payment of a payout as the rail would. */
  const end = async (id: string, how: { isSettled: true } | { isSettled: false; reason: string }) =>
    expect(await endExternal(bank.bank.parts, id, how)).toBe(true);
  /** Submits a payment to the rail and puts it into a file, as at the cut-off. */
  const submitNow = async (transactionId: string) => {
    const { ledger, rail, database } = bank.bank.parts;
    const dueNow = { ...rail, cutOff: (sentAt: Date) => sentAt };
    await submitPayment({ ledger, database, rail: dueNow }, { transactionId });
    await makeFiles({ database, rail });
    const { rows } = await bank.test.database.pool.query(
      'SELECT FROM external_transfers WHERE transaction_id = $1 AND submitted_at IS NOT NULL',
      [transactionId],
    );
    expect(rows).toHaveLength(1);
  };
  const expectTrueBooks = async () => {
    const { sealKey } = bank.bank.parts.secrets;
    expect((await verifyBooks(bank.test.database.reader, { sealKey })).faults).toEqual([]);
  };

  test('a balance is paid to another bank once, the payout is found by the name of its receiver, and a repeated key gets the same answer [SD-22, SD-23]', async () => {
    const accountNumber = await aClosedAccount(40);
    const { balances, unclaimed } = await list(accountNumber);
    expect(balances).toEqual([
      expect.objectContaining({
        origin: 'closing',
        amount: 40,
        accountNumber,
        reference: expect.any(String),
      }),
    ]);
    const { _id } = balances[0]!;
    expectRefusal(await payOut(_id, 'payout-support', '12345678', sam.token), 'FORBIDDEN');
    const paid = await payOutApproved(_id, 'payout-one');
    const read = await bank.call(adminApi.adminTransaction, { token: sam.token, params: { id: paid } });
    expect(read.body.data).toMatchObject({
      type: 'external-transfer',
      amount: 40,
      externalBankDetails: bankAccount,
    });
    const query = { search: bankAccount.accountName };
    const found = await bank.call(adminApi.adminTransactions, { token: sam.token, query });
    expect(found.body.data.transactions.map(each => each._id)).toEqual([paid]);
    expect((await payOut(_id, 'payout-one')).body.data).toMatchObject({
      approval: { status: 'done', resultId: paid },
    });
    expectRefusal(await payOut(_id, 'payout-one', '87654321'), 'IDEMPOTENCY_MISMATCH');
    expectRefusal(await payOut(_id, 'payout-two'), 'CONFLICT');
    expect((await list(accountNumber)).unclaimed).toBeCloseTo(unclaimed - 40);
    await submitNow(paid);
    await end(paid, { isSettled: true });
    expect((await list(accountNumber, 'paid')).balances[0]!.paid).toMatchObject({
      status: 'completed',
      by: 'Mia operator',
      bank: bankAccount,
    });
    await expectTrueBooks();
  });

  test('if the other bank returns a payout, the balance is unclaimed again, under the same account [SD-23]', async () => {
    const accountNumber = await aClosedAccount(41);
    const [balance] = (await list(accountNumber)).balances;
    const paid = await payOutApproved(balance!._id, 'payout-back');
    await end(paid, { isSettled: false, reason: 'Account unknown' });
    const read = await bank.call(adminApi.adminTransaction, { token: sam.token, params: { id: paid } });
    expect(read.body.data).toMatchObject({ bankAccount: 'unclaimed', returnedToUnclaimed: true });
    const [back] = (await list(accountNumber)).balances;
    expect(back).toMatchObject({ origin: 'return', amount: 41, accountNumber });
    await payOutApproved(back!._id, 'payout-again');
    await expectTrueBooks();
  });

  test('a balance is credited to a customer, who is notified, and a reversal makes it unclaimed again [SD-24]', async () => {
    const accountNumber = await aClosedAccount(42);
    const [balance] = (await list(accountNumber)).balances;
    expectRefusal(await assign(balance!._id, accountNumber), 'NOT_FOUND');
    const jun = await bank.customer({ firstName: 'Jun' });
    const credited = await assign(balance!._id, jun.accountNumber);
    expect(credited.status).toBe(201);
    const held = async () =>
      (await bank.call(transactionsApi.balance, { token: jun.token })).body.data.balance;
    expect(await held()).toBe(42);
    const { _id: id } = credited.body.data as { _id: string };
    const reversed = await bank.call(adminCustomersApi.reverse, {
      token: olga.token,
      params: { id },
      body: { reason: 'Wrong person' },
    });
    expect(reversed.status).toBe(201);
    expect(await held()).toBe(0);
    expect((await list(accountNumber)).balances).toEqual([
      expect.objectContaining({ origin: 'reversal', amount: 42, accountNumber }),
    ]);
    const { _id: reversedBy } = reversed.body.data as { _id: string };
    expect((await list(accountNumber, 'paid')).balances[0]!.paid).toMatchObject({ reversedBy });
    for (const params of [{ id }, { id: reversedBy }]) {
      const story = await bank.call(adminApi.adminTransaction, { token: sam.token, params });
      expect(story.body.data.bankAccount).toBe('unclaimed');
    }
    const shown = await bank.call(transactionsApi.transaction, { token: jun.token, params: { id } });
    expect(shown.body.data).not.toHaveProperty('bankAccount');
    await expectTrueBooks();
  });

  test('every payout to another bank, however small, needs a second person and is made once [SD-25]', async () => {
    const accountNumber = await aClosedAccount(1);
    const [balance] = (await list(accountNumber)).balances;
    const asked = await payOut(balance!._id, 'payout-small');
    expect(asked.status).toBe(202);
    const { approval } = asked.body.data as { approval: Approval };
    expect(approval).toMatchObject({
      kind: 'unclaimed',
      amount: 1,
      bank: bankAccount,
      closedAccount: accountNumber,
    });
    expectRefusal(await approve(approval, olga.token), 'FORBIDDEN');
    expectRefusal(await payOut(balance!._id, 'payout-other'), 'CONFLICT');
    const done = await approve(approval, owner);
    expect(done.body.data).toMatchObject({ status: 'done', resultId: expect.any(String) });
    expectRefusal(await approve(approval, owner), 'CONFLICT');
    expect((await list(accountNumber)).balances).toEqual([]);
    await expectTrueBooks();
  });

  test('the list names the request of a payout while it waits for a second person, but not after it was withdrawn [SD-25]', async () => {
    const accountNumber = await aClosedAccount(44);
    const [balance] = (await list(accountNumber)).balances;
    expect(balance).not.toHaveProperty('requestId');
    const { approval } = (await payOut(balance!._id, 'payout-waits')).body.data as { approval: Approval };
    expect((await list(accountNumber)).balances[0]).toHaveProperty('requestId', approval._id);
    const params = { id: approval._id };
    await bank.call(fourEyesApi.withdrawRequest, { token: olga.token, params });
    expect((await list(accountNumber)).balances[0]).not.toHaveProperty('requestId');
  });

  test('a payout to a customer needs a second person if it is at least the four-eyes amount [SD-25]', async () => {
    const accountNumber = await aClosedAccount(1000);
    const [balance] = (await list(accountNumber)).balances;
    const jun = await bank.customer();
    const asked = await assign(balance!._id, jun.accountNumber);
    expect(asked.status).toBe(202);
    const { approval } = asked.body.data as { approval: Approval };
    expect((await approve(approval, owner)).body.data.status).toBe('done');
  });

  test('while a payout to another bank waits for a second person, the balance is not credited to a customer [SD-25]', async () => {
    const accountNumber = await aClosedAccount(45);
    const [balance] = (await list(accountNumber)).balances;
    const jun = await bank.customer();
    const { approval } = (await payOut(balance!._id, 'payout-first')).body.data as { approval: Approval };
    expectRefusal(await assign(balance!._id, jun.accountNumber), 'CONFLICT');
    await bank.call(fourEyesApi.withdrawRequest, { token: olga.token, params: { id: approval._id } });
    expect((await assign(balance!._id, jun.accountNumber)).status).toBe(201);
  });

  test('of a payout to another bank that is requested and a credit of the same balance at the same moment, only one is accepted [SD-25]', async () => {
    const pool = bank.test.database.ownerPool;
    const jun = await bank.customer();
    for (const isCreditFirst of [true, false]) {
      const [balance] = (await list(await aClosedAccount(46))).balances;
      const acts = [() => assign(balance!._id, jun.accountNumber), () => payOut(balance!._id, newId())];
      const held = await holdLocks(pool, 'SELECT FROM ledger_accounts WHERE id = 3 FOR UPDATE');
      const answers: ReturnType<(typeof acts)[number]>[] = [];
      for (const act of isCreditFirst ? acts : acts.toReversed()) {
        const answer = act();
        answers.push(answer);
        const waiting = answers.length;
        // Until this act waits for the lock too, or is done without it.
        await Promise.race([
          answer,
          eventually(async () => (await lockWaits(pool)) === waiting || undefined),
        ]);
      }
      await held.query('COMMIT');
      const [first, second] = await Promise.all(answers);
      expect([first!.status, second!.status]).toEqual([isCreditFirst ? 201 : 202, 409]);
      const { approval } = first!.body.data as { approval?: Approval };
      if (approval)
        await bank.call(fourEyesApi.withdrawRequest, { token: olga.token, params: { id: approval._id } });
    }
    await expectTrueBooks();
  });

  test('only one of two concurrent payouts of a balance is made [SD-23]', async () => {
    const accountNumber = await aClosedAccount(43);
    const [balance] = (await list(accountNumber)).balances;
    const [jun, kai] = [await bank.customer(), await bank.customer()];
    const answers = await Promise.all([
      assign(balance!._id, jun.accountNumber),
      assign(balance!._id, kai.accountNumber),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    await expectTrueBooks();
  });
});

describe('the day end', () => {
  const read = async () => (await bank.call(dayEndApi.dayEnd, { token: sam.token })).body.data;

  test('balances add up to zero, and held and overdue payments are counted [SD-26]', async () => {
    const before = await read();
    const nora = await bank.customer({ dollars: 500 });
    const { ledger } = bank.bank.parts;
    const sent = await ledger.sendExternal({
      customerId: nora._id,
      sessionId: null,
      amountCents: 12_050n,
      description: 'Roof',
      address: '::1',
      bank: { bankName: 'First Harbor Bank', accountName: 'Ines Caldeira', accountNumber: '12345678' },
    });
    await bank.call(limitsApi.freezeOwn, { token: nora.token });
    const { balances, onTheWay, accounts } = await read();
    const { customers, treasury, clearing, unclaimed } = balances;
    expect(Math.round((customers + treasury + clearing + unclaimed) * 100)).toBe(0);
    expect(accounts).toBe(before.accounts + 1);
    expect(onTheWay.held).toEqual({ count: before.onTheWay.held.count + 1, amount: 120.5 });
    const { ownerPool } = bank.test.database;
    await ownerPool.query(
      'UPDATE external_transfers SET expected_by = bank_day(now()) - 1 WHERE transaction_id = $1',
      [sent._id],
    );
    expect((await read()).onTheWay).toMatchObject({ held: onTheWay.held, overdue: { count: 0 } });
    // Not sent although no freeze holds it anymore.
    await ownerPool.query(
      'UPDATE ledger_accounts SET frozen_by_owner = false WHERE id = (SELECT account_id FROM customers WHERE id = $1)',
      [nora._id],
    );
    expect((await read()).onTheWay.overdue).toEqual({ count: 1, amount: 120.5 });
  });

  test('a proof that is started runs in the background, and its result and figures are stored [SD-27]', async () => {
    const start = (token: string) => bank.call(dayEndApi.startProof, { token });
    expectRefusal(await start(sam.token), 'FORBIDDEN');
    const answers = await Promise.all([start(olga.token), start(olga.token)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    const { _id: id } = answers.find(({ status }) => status === 201)!.body.data;
    const proof = await eventually(async () => {
      const { body } = await bank.call(dayEndApi.proof, { token: sam.token, params: { id } });
      return body.data.state === 'running' ? undefined : body.data;
    });
    expect(proof).toMatchObject({ state: 'passed', faults: [], isWhole: true, askedBy: { _id: olga.id } });
    expect(proof.records).toBeGreaterThan(0);
    const { customers, treasury, clearing, unclaimed } = proof.balances!;
    expect(Math.round((customers + treasury + clearing + unclaimed) * 100)).toBe(0);
    expect((await read()).days[0]!._id).toBe(id);
    expect(await records(id)).toEqual(['proof.started']);
  });

  test('the clean-up marks a proof as unfinished if its job has failed for good, and another proof can start [SD-27]', async () => {
    const { ownerPool } = bank.test.database;
    const lost = newId();
    await ownerPool.query(
      'INSERT INTO book_proofs (id, asked_by, is_whole, all_records) VALUES ($1, $2, true, 9)',
      [lost, olga.id],
    );
    const add = "SELECT id FROM graphile_worker.add_job('prove-books', $1, run_at => 'infinity')";
    const job = (await ownerPool.query<{ id: bigint }>(add, [{ proofId: lost }])).rows[0]!.id;
    const stateOf = async () =>
      (await bank.call(dayEndApi.proof, { token: sam.token, params: { id: lost } })).body.data.state;
    await cleanUp(bank.bank.parts);
    expect(await stateOf()).toBe('running');
    const fail = 'UPDATE graphile_worker._private_jobs SET attempts = max_attempts WHERE id = $1';
    await ownerPool.query(fail, [job]);
    expectRefusal(await bank.call(dayEndApi.startProof, { token: olga.token }), 'CONFLICT');
    await cleanUp(bank.bank.parts);
    expect(await stateOf()).toBe('unfinished');
    expect((await bank.call(dayEndApi.startProof, { token: olga.token })).status).toBe(201);
    await eventually(async () => ((await read()).proof?.state === 'passed' ? true : undefined));
  });

  test('the server cannot change the result of a finished proof [SD-35]', async () => {
    const { pool } = bank.test.database;
    await expect(pool.query("UPDATE book_proofs SET faults = '{}', state = 'passed'")).rejects.toThrow(
      /insert-only/,
    );
    await expect(pool.query('UPDATE book_proofs SET is_whole = true')).rejects.toThrow(/permission denied/);
  });

  test('a proof of books with a false balance names the account [SD-27]', async () => {
    const { ownerPool } = bank.test.database;
    await ownerPool.query('UPDATE ledger_accounts SET balance = balance + 1 WHERE id = 3');
    const { _id: id } = (await bank.call(dayEndApi.startProof, { token: owner })).body.data;
    const proof = await eventually(async () => {
      const { body } = await bank.call(dayEndApi.proof, { token: owner, params: { id } });
      return body.data.state === 'running' ? undefined : body.data;
    });
    await ownerPool.query('UPDATE ledger_accounts SET balance = balance - 1 WHERE id = 3');
    expect(proof.state).toBe('faults');
    expect(proof.faults.join()).toContain('account 3 has a balance of');
  });
});

describe("changing a customer's name and email", () => {
  const ask = (id: string, body: object, token = olga.token) =>
    bank.call(adminCustomersApi.changeCustomer, {
      token,
      params: { id },
      body: { reason: 'Saw the passport', ...body },
    });
  /** Asks for a change. The owner approves it if it is a new email. */
  const change = async (id: string, body: object, token = olga.token) => {
    const answer = await ask(id, body, token);
    if (answer.status !== 202) return answer;
    const { approval } = answer.body.data as unknown as { approval: Approval };
    const approved = await bank.call(fourEyesApi.approveRequest, {
      token: owner,
      params: { id: approval._id },
    });
    return { ...answer, status: approved.status };
  };
  const login = (email: string) =>
    bank.call(authApi.initiateLogin, { body: { email, password: customerPassword } });

  test('if staff entered an email that the customer never proved, erasing the customer keeps the messages from that email [SD-28]', async () => {
    const { _id: id, email: former } = await bank.customer();
    const email = `new.${former}`;
    expect((await change(id, { email })).status).toBe(200);
    const body = { name: 'Ada', email, subject: 'Cards', message: 'Do you have any?' };
    await bank.call(contactApi.sendMessage, { body });
    expect((await bank.call(adminApi.deleteUser, { token: owner, params: { id } })).status).toBe(200);
    const { rows } = await bank.test.database.pool.query(
      'SELECT FROM contact_messages WHERE visitor_email = $1',
      [email],
    );
    expect(rows).toHaveLength(1);
  });

  test('a change of email needs a second person, ends every session, and is mailed to both addresses; the customer logs in with the new email [SD-28]', async () => {
    const nora = await bank.customer();
    const email = `new.${nora.email}`;
    expectRefusal(await change(nora._id, { email }, sam.token), 'FORBIDDEN');
    const asked = await ask(nora._id, { email });
    expect(asked.status).toBe(202);
    const { approval } = asked.body.data as unknown as { approval: Approval };
    expect(approval).toMatchObject({ kind: 'email', customer: { _id: nora._id }, email });
    const approve = (token: string) =>
      bank.call(fourEyesApi.approveRequest, { token, params: { id: approval._id } });
    expectRefusal(await approve(olga.token), 'FORBIDDEN');
    expect((await bank.call(transactionsApi.balance, { token: nora.token })).status).toBe(200);
    expect((await approve(owner)).status).toBe(200);
    expect((await bank.call(transactionsApi.balance, { token: nora.token })).status).toBe(401);
    const arrived = await mailTo(email, 'This is now the email of your account');
    expect(arrived.text).toContain('For the next 24 hours, a code that we email you can’t confirm');
    const { text } = await mailTo(nora.email, 'The email of your account was changed');
    expect(text).toContain('freeze my account');
    expect(text).not.toContain(email);
    const isProven = async () => {
      const read = await bank.call(adminCustomersApi.customerRecord, {
        token: sam.token,
        params: { id: nora._id },
      });
      return read.body.data.isEmailProven;
    };
    // So far, no code was received at the new email.
    expect(await isProven()).toBe(false);
    const token = await bank.login(email);
    expect((await bank.call(transactionsApi.balance, { token })).status).toBe(200);
    expect(await isProven()).toBe(true);
    const changes = await bank.call(adminCustomersApi.customerChanges, {
      token: sam.token,
      params: { id: nora._id },
    });
    expect(changes.body.data).toEqual([
      expect.objectContaining({
        field: 'email',
        former: nora.email,
        value: email,
        reason: 'Saw the passport',
        authorName: 'Mia operator',
      }),
    ]);
    const log = await bank.test.database.pool.query('SELECT data::text FROM audit_log WHERE subject = $1', [
      nora._id,
    ]);
    expect(JSON.stringify(log.rows)).not.toContain('@');
    const { rows } = await bank.test.database.pool.query(
      "SELECT FROM audit_log WHERE subject = $1 AND action = 'customer.email-changed'",
      [nora._id],
    );
    expect(rows).toHaveLength(1);
  });

  test('after a change of email, mailed codes cannot confirm a large transfer yet, and second factors cannot be reset yet [SD-28]', async () => {
    const nora = await bank.customer({ dollars: 900 });
    const email = `new.${nora.email}`;
    await change(nora._id, { email });
    await bank.test.database.ownerPool.query(
      `INSERT INTO passkeys (id, person_id, credential_id, public_key, counter, transports, name)
       VALUES (gen_random_uuid(), $1, '\\x02', '', 0, '{}', 'Phone')`,
      [nora._id],
    );
    const body = { reason: 'Lost phone' };
    const params = { id: nora._id };
    expectRefusal(
      await bank.call(adminFactorsApi.resetFactors, { token: olga.token, params, body }),
      'CONFLICT',
    );
    await bank.test.database.ownerPool.query('DELETE FROM passkeys WHERE person_id = $1', [nora._id]);
    const token = await bank.login(email);
    const limits = { stepUpFrom: 100, dailyOut: null };
    await bank.call(limitsApi.setLimits, { token, body: limits });
    const asked = await bank.call(transferApi.sendExternal, {
      token,
      body: { amount: 500, description: '', bankName: 'A', accountName: 'B', accountNumber: '12345678' },
    });
    expectRefusal(asked, 'STEP_UP_REQUIRED');
    expect((asked.body as unknown as { challenge: { methods: string[] } }).challenge.methods).toEqual([]);
  });

  test('for a week after a change of email, security mails without codes also go to the former email; messages sent from the former email still belong to the customer [SD-36]', async () => {
    const nora = await bank.customer();
    const body = { name: 'Nora', email: nora.email, subject: 'Hello', message: 'It is me' };
    await bank.call(contactApi.sendMessage, { body });
    const email = `new.${nora.email}`;
    await change(nora._id, { email });
    const token = await bank.login(email);
    const limits = { stepUpFrom: null, dailyOut: 100 };
    await bank.call(limitsApi.setLimits, { token, body: limits });
    await bank.call(limitsApi.freezeOwn, { token });
    const { subject, text } = await eventually(() =>
      bank.bank.parts.inbox!.list(nora.email).find(mail => /froze/.test(mail.subject)),
    );
    expect(text).not.toContain(email);
    await mailTo(email, subject);
    // The only mail with a code is from the login before the change.
    const subjects = bank.bank.parts.inbox!.list(nora.email).map(mail => mail.subject);
    expect(subjects.filter(each => /code/.test(each))).toHaveLength(1);
    await bank.test.database.ownerPool.query(
      "UPDATE customer_changes SET at = at - interval '7 days' WHERE customer_id = $1",
      [nora._id],
    );
    const before = bank.bank.parts.inbox!.list(nora.email).length;
    await bank.call(adminCustomersApi.endCustomerSessions, { token: olga.token, params: { id: nora._id } });
    await mailTo(email, 'Your sessions were ended');
    await eventually(async () => {
      const { rows } = await bank.test.database.ownerPool.query(
        "SELECT FROM graphile_worker.jobs WHERE task_identifier = 'mail'",
      );
      return rows.length === 0 || undefined;
    });
    expect(bank.bank.parts.inbox!.list(nora.email)).toHaveLength(before);
    await bank.call(adminApi.deleteUser, { token: owner, params: { id: nora._id } });
    const { rows } = await bank.test.database.pool.query('SELECT FROM contact_messages WHERE email = $1', [
      nora.email,
    ]);
    expect(rows).toEqual([]);
  });

  test('a taken email is refused, even in a race, and changes nothing [SD-28]', async () => {
    const [ann, ben] = [await bank.customer(), await bank.customer()];
    expectRefusal(await change(ann._id, { email: ben.email, firstName: 'Other' }), 'CONFLICT');
    const email = `race.${ann.email}`;
    const answers = await Promise.all([change(ann._id, { email }), change(ben._id, { email })]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const { body } = await bank.call(adminCustomersApi.customerRecord, {
      token: sam.token,
      params: { id: ann._id },
    });
    expect(body.data.firstName).toBe('Nora');
    expect((await login(email)).status).toBe(200);
  });

  test('after a change of name, a verified ID document must be verified again, and the session stays open [SD-29]', async () => {
    const nora = await bank.customer();
    await bank.test.database.ownerPool.query(
      "UPDATE customers SET id_card_file = 'id-card-x', id_card_at = now(), is_verified = true WHERE id = $1",
      [nora._id],
    );
    const same = await change(nora._id, { firstName: nora.firstName });
    expect(same.body.message).toBe('Nothing was changed.');
    const { data } = (await change(nora._id, { lastName: 'Lindqvist' })).body;
    expect(data).toMatchObject({ lastName: 'Lindqvist', isVerified: false, document: 'review' });
    expect((await bank.call(transactionsApi.balance, { token: nora.token })).status).toBe(200);
    await mailTo(nora.email, 'Your name was changed');
    expect(await records(nora._id)).toContain('customer.renamed');
  });

  test('a change without a reason, or to an invalid email, is refused [SD-28]', async () => {
    const { _id } = await bank.customer();
    for (const body of [{ reason: '' }, { email: 'nora' }, { lastName: ' ' }, { isApproved: true }])
      expectRefusal(await change(_id, body), 'VALIDATION');
  });
});

test('the page about a customer shows a requested reset of the second factors until the request is canceled [SD-30]', async () => {
  const nora = await bank.customer();
  const read = async () =>
    (await bank.call(adminCustomersApi.customerRecord, { token: sam.token, params: { id: nora._id } })).body
      .data;
  expect(await read()).toMatchObject({ factors: { hasApp: false, passkeys: 0 } });
  await bank.test.database.ownerPool.query(
    `INSERT INTO passkeys (id, person_id, credential_id, public_key, counter, transports, name)
     VALUES (gen_random_uuid(), $1, '\\x01', '', 0, '{}', 'Phone')`,
    [nora._id],
  );
  const params = { id: nora._id };
  await bank.call(adminFactorsApi.resetFactors, {
    token: olga.token,
    params,
    body: { reason: 'Lost phone' },
  });
  expect(await read()).toMatchObject({
    factors: { hasApp: false, passkeys: 1 },
    factorReset: { requestedBy: 'Mia operator' },
  });
  await bank.call(adminFactorsApi.cancelFactorReset, { token: olga.token, params });
  expect((await read()).factorReset).toBeUndefined();
});

test('an operator cannot approve or decline their own promotion, even if an owner asked for it [ST-87]', async () => {
  const asked = await bank.call(staffApi.changeRole, {
    token: owner,
    params: { id: olga.id },
    body: { role: 'owner' },
  });
  const { _id: id } = (asked.body.data as { approval: Approval }).approval;
  const params = { id };
  const before = (await bank.call(fourEyesApi.requests, { token: olga.token })).body.data;
  expect(before).toMatchObject({ waiting: 1, forYou: 0 });
  expectRefusal(await bank.call(fourEyesApi.approveRequest, { token: olga.token, params }), 'FORBIDDEN');
  const body = { reason: 'I stay' };
  expectRefusal(
    await bank.call(fourEyesApi.declineRequest, { token: olga.token, params, body }),
    'FORBIDDEN',
  );
  expect((await bank.call(fourEyesApi.request, { token: olga.token, params })).body.data.status).toBe(
    'pending',
  );
});
