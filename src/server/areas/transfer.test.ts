/**
 * The transfer area over HTTP, on a complete bank: the answers that a customer gets. At the end, the books must be true.
 */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAccountNumber } from '#contract/accountNumber.ts';
import { adminApi } from '#contract/admin.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { unreachableBank } from '#contract/messages/transfer.ts';
import { scheduledApi } from '#contract/scheduled.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { approveAccount, setFrozen } from '#server/ledger/accounts.ts';
import { verifyBooks } from '#server/ledger/verify.ts';
import { callAt } from '../../../tests/call.ts';
import { closeForGood } from '../../../tests/closeForGood.ts';
import { expectRefused } from '../../../tests/expectRefused.ts';
import { holdLocks } from '../../../tests/holdLocks.ts';
import { creditCustomer, type SeededCustomer, type SeedOptions } from '../../../tests/seedCustomers.ts';
import { eventually, lockWaits, openSecondBank, openTestBank, type TestBank } from '../../../tests/server.ts';
import { parseBankDirectory } from '../base/routingNumbers.ts';

let bank: TestBank;
let adminToken: string;
beforeAll(async () => {
  bank = await openTestBank({ JOBS: 'off', STEP_UP_FROM: 'off' });
  adminToken = await bank.adminToken();
});
afterAll(async () => {
  const { faults } = await verifyBooks(bank.test.database.reader);
  await bank.close();
  expect(faults).toEqual([]);
});

const parts = () => bank.bank.parts;

/** A customer with this balance in cents. */
const aCustomer = (cents = 0n, wanted: SeedOptions = {}) => bank.seeded({ ...wanted, cents });

const balance = async ({ token }: SeededCustomer) =>
  (await bank.call(transactionsApi.balance, { token })).body.data.balance;

/** Sends a raw body, for tests that need text that no JSON library would write. */
const sendText = (
  from: SeededCustomer,
  body: string,
  key?: string,
  { path } = transferApi.sendInternal as Endpoint,
) =>
  fetch(`${bank.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${from.token}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body,
  });

const send = (
  from: SeededCustomer,
  to: { accountNumber: string },
  amount: number,
  more: object = {},
  key?: string,
) => sendText(from, JSON.stringify({ receiverAccountNumber: to.accountNumber, amount, ...more }), key);

async function changeState(
  member: SeededCustomer,
  work: 'approve' | 'freeze' | 'unfreeze' | 'close',
): Promise<void> {
  if (work === 'close') return await closeForGood(parts().database, member.accountId);
  await parts().database.inTransaction(async tx => {
    if (work === 'approve') await approveAccount(tx, member.accountId);
    else await setFrozen(tx, member.accountId, work === 'freeze');
  });
}

describe('sending money', () => {
  test('returns the transaction, and both customers see it immediately [C-14, C-15, C-53, OK-04]', async () => {
    const anna = await aCustomer(10_000n, { firstName: 'Anna', lastName: 'Field' });
    const ben = await aCustomer(0n, { firstName: 'Ben', lastName: 'Ó Briain' });
    const begun = Date.now();
    const answer = await send(anna, ben, 25.5, { description: '  lunch — 花 🍜 ' });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({
      success: true,
      message: 'Transfer successful',
      data: {
        _id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        reference: expect.stringMatching(/^LB-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/),
        type: 'transfer',
        status: 'completed',
        amount: 25.5,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        sender: { _id: anna.customerId, firstName: 'Anna', lastName: 'Field' },
        receiver: { _id: ben.customerId, firstName: 'Ben', lastName: 'Ó Briain' },
        description: 'lunch — 花 🍜',
      },
    });
    expect(await balance(anna)).toBe(74.5);
    expect(await balance(ben)).toBe(25.5);
    for (const { token } of [anna, ben]) {
      const { transactions } = (await bank.call(transactionsApi.listTransactions, { token })).body.data;
      expect(transactions[0]).toMatchObject({ amount: 25.5, description: 'lunch — 花 🍜' });
      expect(Date.parse(transactions[0]!.timestamp)).toBeGreaterThan(begun - 60_000);
    }
  });

  test('stores an empty description if there is none, and keeps one of 140 characters in full', async () => {
    const [anna, ben] = [await aCustomer(1_000n), await aCustomer()];
    const described = async (description: string | undefined) =>
      ((await (await send(anna, ben, 0.01, { description })).json()) as { data: { description: string } })
        .data.description;
    expect(await described(undefined)).toBe('');
    expect(await described('   ')).toBe('');
    expect(await described('é'.repeat(140))).toBe('é'.repeat(140));
    expect(await described('<img src=x onerror=alert(1)>')).toBe('<img src=x onerror=alert(1)>');
    const refused = await expectRefused(
      '141',
      await send(anna, ben, 0.01, { description: 'x'.repeat(141) }),
      'VALIDATION',
    );
    expect(refused.errors).toEqual([{ field: 'description', message: 'Please use at most 140 characters' }]);
  });

  test('works for a frozen receiver, and for the whole balance to the last cent [C-38, AC-12]', async () => {
    const [anna, frozen] = [await aCustomer(12_345n), await aCustomer(0n, { frozen: true })];
    await expectRefused('one cent more', await send(anna, frozen, 123.46), 'INSUFFICIENT_BALANCE');
    expect((await send(anna, frozen, 123.45)).status).toBe(201);
    expect([await balance(anna), await balance(frozen)]).toEqual([0, 123.45]);
  });

  test('ten transfers of ten cents are exactly one dollar', async () => {
    const [anna, ben] = [await aCustomer(1_000n), await aCustomer()];
    for (let i = 0; i < 10; i++) expect((await send(anna, ben, 0.1)).status).toBe(201);
    expect([await balance(anna), await balance(ben)]).toEqual([9, 1]);
  });

  test('fifty concurrent transfers of the whole balance move it once', async () => {
    const [anna, ben] = [await aCustomer(5_000n), await aCustomer()];
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(anna, ben, 50)));
    const statuses = answers.map(({ status }) => status).sort((one, other) => one - other);
    expect(statuses).toEqual([201, ...Array.from({ length: 49 }, () => 422)]);
    expect([await balance(anna), await balance(ben)]).toEqual([0, 50]);
  });
});

describe('an amount', () => {
  test.each([
    ['1.15', 115n],
    ['4.35', 435n],
    ['1.10', 110n],
    ['8.2', 820n],
    ['0.01', 1n],
    ['1.005e2', 10_050n],
    ['1e3', 100_000n],
    ['1E2', 10_000n],
    ['10.50', 1_050n],
    ['1000000.00', 100_000_000n],
    ['1000000000', 100_000_000_000n],
    ['1000000000.00', 100_000_000_000n],
  ])('of %s is booked as %s cents', async (written, cents) => {
    const [anna, ben] = [await aCustomer(100_000_000_000n), await aCustomer()];
    const answer = await sendText(
      anna,
      `{"receiverAccountNumber":"${ben.accountNumber}","amount":${written}}`,
    );
    expect(answer.status).toBe(201);
    const booked = await sql<{ amount: bigint }>`
      SELECT amount FROM transactions WHERE receiver_account = ${ben.accountId}`.execute(
      parts().database.reader,
    );
    expect(booked.rows).toEqual([{ amount: cents }]);
    expect(((await answer.json()) as { data: { amount: number } }).data.amount).toBe(Number(cents) / 100);
  });

  test('that is zero, negative, finer than a cent, too large or not a number is refused and never rounded [C-17, C-23, C-82, V-12]', async () => {
    const [anna, ben] = [await aCustomer(200_000_000_000n), await aCustomer()];
    const valid = 'Please enter a valid amount';
    const written = `0 0.00 -0 -0.0 0e5 -1 -0.01 0.001 10.005 1.999 1e-3 1e-7 1000000000.01 1000000001 1e10
      9007199254740993 99999999999999999999 1e400 -1e400 0.10000000000000001 0.1000000000000000055 1.0000000000000001
      "0" "1" "-5" "1e3" "0x10" "１００" "1,000" " 5" "5 " "+5" "$5" "5." ".5" "NaN" "10,50" "" null true false [] [5] {}`;
    const before = await balance(anna);
    for (const amount of written.match(/"[^"]*"|\S+/g)!) {
      const body = `{"receiverAccountNumber":"${ben.accountNumber}","amount":${amount}}`;
      const refused = await expectRefused(amount, await sendText(anna, body), 'VALIDATION');
      expect(refused.message, amount).toBe(valid);
    }
    for (const amount of ['+5', '.5', '5.', '0x10', '1_000', '10,50', '01', 'NaN', 'Infinity']) {
      const body = `{"receiverAccountNumber":"${ben.accountNumber}","amount":${amount}}`;
      const refused = await expectRefused(amount, await sendText(anna, body), 'VALIDATION');
      expect(refused.message, amount).toBe('The request is not valid JSON.');
    }
    const missing = await sendText(anna, `{"receiverAccountNumber":"${ben.accountNumber}"}`);
    expect((await expectRefused('no amount', missing, 'VALIDATION')).message).toBe(valid);
    expect(await balance(anna)).toBe(before);
  });
});

describe('the receiver', () => {
  test('must be a well-formed number of an open account; for unknown, mistyped, pending and closed ones the answer is the same [C-86, AC-21]', async () => {
    const anna = await aCustomer(1_000n);
    const waiting = await aCustomer(0n, { approved: false });
    const closed = await aCustomer();
    await changeState(closed, 'close');
    for (const accountNumber of [
      '48210937552',
      '4821093755270',
      'ABCDEFGHIJKL',
      '482109375527\n',
      ' 482109375527',
      '4821 0937 5527',
      '٤٨٢١٠٩٣٧٥٥٢٧',
      anna.customerId,
      'nell@crowd.example',
      '',
    ]) {
      const refused = await expectRefused(
        accountNumber,
        await send(anna, { accountNumber }, 1),
        'VALIDATION',
      );
      expect(refused.message).toBe('Account number must be 12 digits');
    }
    const mistyped = `${anna.accountNumber.slice(0, 11)}${(Number(anna.accountNumber.slice(11)) + 1) % 10}`;
    for (const accountNumber of ['999999999993', mistyped, waiting.accountNumber, closed.accountNumber]) {
      const refused = await expectRefused(accountNumber, await send(anna, { accountNumber }, 1), 'NOT_FOUND');
      expect(refused.message).toBe('Account not found');
    }
    expect(await balance(anna)).toBe(10);
  });

  test('cannot be the sender [C-39]', async () => {
    const anna = await aCustomer(1_000n);
    const refused = await expectRefused('self', await send(anna, anna, 1), 'SAME_ACCOUNT');
    expect(refused.message).toBe('You can’t send money to your own account.');
  });
});

describe('the sender', () => {
  test('is the customer who is logged in, and a request that names another one is refused', async () => {
    const [anna, ben, cleo] = [await aCustomer(1_000n), await aCustomer(1_000n), await aCustomer()];
    for (const claim of ['senderAccountNumber', 'from', 'userId', 'sender']) {
      const answer = await send(anna, cleo, 1, { [claim]: ben.accountNumber });
      const refused = await expectRefused(claim, answer, 'VALIDATION');
      expect(refused.errors).toEqual([{ field: claim, message: `Unknown field: ${claim}` }]);
    }
    expect([await balance(anna), await balance(ben)]).toEqual([10, 10]);
  });

  test('cannot send while waiting for approval [C-28, AC-21, RO-03]', async () => {
    const [waiting, ben] = [await aCustomer(0n, { approved: false }), await aCustomer()];
    await expectRefused('waiting', await send(waiting, ben, 1), 'ACCOUNT_PENDING');
    await changeState(waiting, 'approve');
    await expectRefused('approved, but poor', await send(waiting, ben, 1), 'INSUFFICIENT_BALANCE');
  });

  test('cannot send with an existing session after being frozen, and can again after being unfrozen [C-29, ER-12, ST-22, AC-10]', async () => {
    const [anna, ben] = [await aCustomer(1_000n), await aCustomer()];
    expect((await send(anna, ben, 1)).status).toBe(201);
    await changeState(anna, 'freeze');
    const refused = await expectRefused('frozen', await send(anna, ben, 1), 'ACCOUNT_FROZEN');
    expect(refused.message).toBe('Your account is frozen. Please contact customer service.');
    await changeState(anna, 'unfreeze');
    expect((await send(anna, ben, 1)).status).toBe(201);
  });
});

describe('an idempotency key', () => {
  test('has 8 to 128 printable ASCII characters without spaces; any other key is refused [C-18]', async () => {
    const [anna, ben] = [await aCustomer(1_000n), await aCustomer()];
    for (const key of ['12345678', '~'.repeat(128)])
      expect((await send(anna, ben, 1, {}, key)).status).toBe(201);
    for (const key of ['', '1234567', 'x'.repeat(129), 'with space inside', 'tab\tinside', 'umlaut-ü-ü-ü']) {
      const refused = await expectRefused(`key ${key}`, await send(anna, ben, 1, {}, key), 'VALIDATION');
      expect(refused.errors?.[0]?.field).toBe('Idempotency-Key');
    }
    expect(await balance(anna)).toBe(8);
  });

  test('repeats the first answer, however the request is spelled and whatever happened since [C-19]', async () => {
    const [anna, ben] = [await aCustomer(1_000n), await aCustomer()];
    const key = 'the very first press';
    const first = await send(anna, ben, 2.5, { description: 'tea' }, key.replaceAll(' ', '-'));
    expect(first.status).toBe(201);
    const answered = await first.json();
    const again = `{ "amount": 2.50,\n "description": " tea ", "receiverAccountNumber": "${ben.accountNumber}" }`;
    for (const change of [undefined, 'freeze', 'close'] as const) {
      if (change) await changeState(change === 'freeze' ? anna : ben, change);
      const replayed = await sendText(anna, again, key.replaceAll(' ', '-'));
      expect(replayed.status).toBe(201);
      expect(await replayed.json()).toEqual(answered);
    }
    expect(await balance(anna)).toBe(7.5);
  });

  test('is refused for a different request, which is not carried out [C-35]', async () => {
    const [anna, ben, cleo] = [await aCustomer(1_000n), await aCustomer(), await aCustomer()];
    expect((await send(anna, ben, 1, {}, 'one-press')).status).toBe(201);
    for (const other of [
      send(anna, ben, 2, {}, 'one-press'),
      send(anna, cleo, 1, {}, 'one-press'),
      send(anna, ben, 1, { description: 'x' }, 'one-press'),
    ]) {
      const refused = await expectRefused('reused', await other, 'IDEMPOTENCY_MISMATCH');
      expect(refused.message).toBe(
        'This idempotency key was already used for another request. Nothing was sent.',
      );
    }
    expect([await balance(anna), await balance(cleo)]).toEqual([9, 0]);
  });

  test('belongs to one customer: another customer may use the same key', async () => {
    const [anna, ben, cleo] = [await aCustomer(1_000n), await aCustomer(1_000n), await aCustomer()];
    const key = 'shared-key-1';
    expect((await send(anna, cleo, 1, {}, key)).status).toBe(201);
    expect((await send(ben, cleo, 2, {}, key)).status).toBe(201);
    const body = { userAccountNumber: cleo.accountNumber, amount: 4, description: 'credit' };
    const credited = await bank.call(adminApi.credit, {
      body,
      token: adminToken,
      headers: { 'idempotency-key': key },
    });
    expect(credited.status).toBe(201);
    expect(await balance(cleo)).toBe(7);
  });

  test('is used up by a request that the ledger refused, but not by a malformed one', async () => {
    const [anna, poor, ben] = [await aCustomer(1_000n), await aCustomer(), await aCustomer()];
    await expectRefused('malformed', await send(anna, ben, 0, {}, 'corrected-later'), 'VALIDATION');
    expect((await send(anna, ben, 1, {}, 'corrected-later')).status).toBe(201);
    await expectRefused('poor', await send(poor, ben, 5, {}, 'too-early-press'), 'INSUFFICIENT_BALANCE');
    expect((await send(anna, poor, 5)).status).toBe(201);
    await expectRefused('still', await send(poor, ben, 5, {}, 'too-early-press'), 'INSUFFICIENT_BALANCE');
    expect((await send(poor, ben, 5, {}, 'another-press')).status).toBe(201);
  });

  test('sent fifty times concurrently moves the money once, and every answer is the same', async () => {
    const [anna, ben] = [await aCustomer(10_000n), await aCustomer()];
    const answers = await Promise.all(
      Array.from({ length: 50 }, async () => (await send(anna, ben, 1, {}, 'fifty-at-once')).text()),
    );
    expect(new Set(answers).size).toBe(1);
    expect(JSON.parse(answers[0]!)).toMatchObject({ success: true, data: { amount: 1 } });
    expect(await balance(ben)).toBe(1);
  });

  test('is optional: without it, two requests are two transfers', async () => {
    const [anna, ben] = [await aCustomer(1_000n), await aCustomer()];
    for (let i = 0; i < 2; i++) expect((await send(anna, ben, 1)).status).toBe(201);
    expect(await balance(ben)).toBe(2);
  });
});

describe('sending money to another bank', () => {
  const details = {
    bankName: 'First Harbour',
    accountName: 'Ines Caldeira',
    accountNumber: 'DE89370400440532013000',
  };
  const sendExternal = (from: SeededCustomer, amount: unknown, more: object = {}, key?: string) =>
    sendText(from, JSON.stringify({ ...details, amount, ...more }), key, transferApi.sendExternal);
  const decideExternal = (id: string, isSettled: boolean) =>
    sql`SELECT decide_external_transfer(${id}, ${isSettled}, 'x')`.execute(parts().database.reader);
  const accepted = async (answer: Response) => {
    expect(answer.status).toBe(201);
    return ((await answer.json()) as { data: { _id: string } }).data;
  };

  test('debits the balance immediately and answers that the payment is pending [C-54, M-08, OK-05]', async () => {
    const anna = await aCustomer(10_000n, { firstName: 'Anna', lastName: 'Field' });
    const answer = await sendExternal(anna, 25.5, {
      accountNumber: ' de89370400440532013000 ',
      description: ' rent ',
    });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({
      success: true,
      message: 'External transfer initiated successfully',
      data: {
        _id: expect.any(String),
        reference: expect.stringMatching(/^LB-/),
        type: 'external-transfer',
        status: 'pending',
        amount: 25.5,
        timestamp: expect.any(String),
        sender: { _id: anna.customerId, firstName: 'Anna', lastName: 'Field' },
        externalBankDetails: details,
        description: 'rent',
      },
    });
    expect(await balance(anna)).toBe(74.5);
    const { transactions, stats } = (await bank.call(transactionsApi.listTransactions, { token: anna.token }))
      .body.data;
    expect(transactions[0]).toMatchObject({ status: 'pending', externalBankDetails: details });
    expect(stats).toEqual({ totalSent: 25.5, totalReceived: 100, totalTransactions: 2 });
  });

  test('is refused for invalid fields, and no money moves [V-27, V-28]', async () => {
    const anna = await aCustomer(10_000n);
    for (const [more, says] of [
      [{ accountNumber: 'A12' }, 'Account number must be 4 to 34 letters and digits'],
      [{ accountNumber: '1'.repeat(35) }, 'Account number must be 4 to 34 letters and digits'],
      [{ accountNumber: '12-34-56' }, 'Account number must be 4 to 34 letters and digits'],
      [{ accountNumber: 12_345 }, 'Account number must be 4 to 34 letters and digits'],
      [{ accountNumber: 'DE89370400440532013001' }, 'This IBAN isn’t valid. Check the digits and letters.'],
      [{ bankName: '  ' }, 'Please choose a bank'],
      [{ accountName: '' }, 'Please enter the account holder’s name'],
      [{ amount: 0.001 }, 'Please enter a valid amount'],
    ] as const) {
      const refused = await expectRefused(
        JSON.stringify(more),
        await sendExternal(anna, 1, more),
        'VALIDATION',
      );
      expect(refused.message).toBe(says);
    }
    expect(await balance(anna)).toBe(100);
  });

  test('is refused for a pending or frozen customer and for an insufficient balance', async () => {
    const [waiting, frozen, poor] = [
      await aCustomer(0n, { approved: false }),
      await aCustomer(10_000n, { frozen: true }),
      await aCustomer(100n),
    ];
    await expectRefused('waiting', await sendExternal(waiting, 1), 'ACCOUNT_PENDING');
    await expectRefused('frozen', await sendExternal(frozen, 1), 'ACCOUNT_FROZEN');
    await expectRefused('poor', await sendExternal(poor, 1.01), 'INSUFFICIENT_BALANCE');
    expect([await balance(frozen), await balance(poor)]).toEqual([100, 1]);
  });

  test('fifty times concurrently with the whole balance moves it once', async () => {
    const anna = await aCustomer(5_000n);
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => (await sendExternal(anna, 50)).status),
    );
    expect(statuses.sort((one, other) => one - other)).toEqual([
      201,
      ...Array.from({ length: 49 }, () => 422),
    ]);
    expect(await balance(anna)).toBe(0);
  });

  test('with a key repeats the first answer, even after the payment was decided and the sender frozen [C-18]', async () => {
    const anna = await aCustomer(10_000n);
    for (const isSettled of [true, false]) {
      const key = `one-press-out-${isSettled}`;
      const first = await (await sendExternal(anna, 10, {}, key)).json();
      await decideExternal((first as { data: { _id: string } }).data._id, isSettled);
      await changeState(anna, 'freeze');
      const again = await sendExternal(anna, 10, {}, key);
      expect(again.status).toBe(201);
      expect(await again.json()).toEqual(first);
      await changeState(anna, 'unfreeze');
    }
    expect(await balance(anna), 'one payment was settled, one returned').toBe(90);
    for (const other of [{ bankName: 'Other' }, { accountNumber: '40218836117' }, { accountName: 'Other' }]) {
      const answer = await sendExternal(anna, 10, other, 'one-press-out-true');
      await expectRefused(JSON.stringify(other), answer, 'IDEMPOTENCY_MISMATCH');
    }
    expect(await balance(anna)).toBe(90);
  });

  test('concurrent transfers of a customer to a bank outside the directory take one database connection, not one each', async () => {
    const [anna, jun] = [await aCustomer(10_000n), await aCustomer()];
    const railDirectory = parseBankDirectory('800000022,Harbor East', parts().config.routingNumber);
    const other = await openSecondBank(bank, { railDirectory });
    const { ownerPool } = bank.test.database;
    const holder = await holdLocks(
      ownerPool,
      'SELECT FROM ledger_accounts WHERE id = $1 FOR UPDATE',
      anna.accountId,
    );
    const waiting = () => lockWaits(ownerPool, 'post_group');
    const { token } = anna;
    const body = { ...details, amount: 10 };
    const sent = Array.from({ length: 20 }, () =>
      callAt(other.url, transferApi.sendExternal, { token, body }),
    );
    await eventually(async () => ((await waiting()) > 0 ? true : undefined));
    const read = await callAt(other.url, transactionsApi.balance, { token: jun.token });
    expect([read.status, await waiting()]).toEqual([200, 1]);
    await holder.query('ROLLBACK');
    await Promise.all(sent);
    await other.bank.stop();
  });

  test('to a bank that is not in the directory is refused, now or scheduled, and a repeated key gets its first result [RF-29]', async () => {
    const anna = await aCustomer(10_000n);
    const railDirectory = parseBankDirectory('800000022,Harbor East', parts().config.routingNumber);
    const other = await openSecondBank(bank, { railDirectory });
    const sendThere = (from: SeededCustomer, bankName: string, key: string) =>
      callAt(other.url, transferApi.sendExternal, {
        token: from.token,
        body: { ...details, bankName, amount: 10 },
        headers: { 'idempotency-key': key },
      });
    const before = await accepted(await sendExternal(anna, 10, {}, 'before-the-directory'));
    const again = await sendThere(anna, details.bankName, 'before-the-directory');
    expect([again.status, again.body.data._id]).toEqual([201, before._id]);
    const refused = {
      status: 400,
      body: { code: 'VALIDATION', errors: [{ field: 'bankName', message: unreachableBank }] },
    };
    expect(await sendThere(anna, details.bankName, 'with-the-directory')).toMatchObject(refused);
    const schedule = { kind: 'external', ...details, amount: 10, startDate: '2099-01-01', frequency: 'once' };
    const { token } = anna;
    expect(await callAt(other.url, scheduledApi.addScheduled, { token, body: schedule })).toMatchObject(
      refused,
    );
    expect((await sendThere(anna, 'harbor east', 'with-the-directory')).status).toBe(201);
    expect(await balance(anna)).toBe(80);
    const frozen = await aCustomer(10_000n, { frozen: true });
    expect((await sendThere(frozen, details.bankName, 'frozen-one')).body.code).toBe('ACCOUNT_FROZEN');
    await other.bank.stop();
  });

  test('counts as sent while pending and once settled, but not if it was returned', async () => {
    const anna = await aCustomer(10_000n);
    const sent = await Promise.all([1, 2, 4].map(async amount => accepted(await sendExternal(anna, amount))));
    await decideExternal(sent[1]!._id, true);
    await decideExternal(sent[2]!._id, false);
    const { stats } = (await bank.call(transactionsApi.listTransactions, { token: anna.token })).body.data;
    expect(stats).toEqual({ totalSent: 3, totalReceived: 100, totalTransactions: 4 });
    expect(await balance(anna)).toBe(97);
  });
});

describe('looking up a receiver', () => {
  const lookUp = (token: string, accountNumber: string) =>
    bank.call(transferApi.verifyAccount, { token, params: { accountNumber } });

  test('reveals only the name, even for a frozen customer [C-55]', async () => {
    const anna = await aCustomer();
    for (const frozen of [false, true]) {
      const found = await aCustomer(0n, { firstName: 'Ines', lastName: 'Caldeira', frozen });
      expect(isAccountNumber(found.accountNumber)).toBe(true);
      const { status, body } = await lookUp(anna.token, found.accountNumber);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          success: true,
          message: 'Account found',
          data: { accountName: 'Ines Caldeira', accountNumber: found.accountNumber },
        },
      });
    }
  });

  test('finds no unknown, mistyped, pending, closed or internal account, with the same answer for all [C-86, V-16, AC-22]', async () => {
    const anna = await aCustomer();
    const waiting = await aCustomer(0n, { approved: false });
    const closed = await aCustomer();
    await changeState(closed, 'close');
    const { accountNumber } = await aCustomer();
    const swapped = `${accountNumber.slice(0, 11)}${(Number(accountNumber.slice(11)) + 5) % 10}`;
    for (const requested of [
      '999999999993',
      swapped,
      waiting.accountNumber,
      closed.accountNumber,
      '1',
      '000000000001',
      '48210937552',
      '4821093755270',
      'ABCDEFGHIJKL',
      '\u0000',
      '../../profile',
      "' OR 1=1--",
      '%',
      '____________',
    ]) {
      const { status, body } = await lookUp(anna.token, requested);
      expect({ requested, status, body }).toEqual({
        requested,
        status: 404,
        body: { success: false, message: 'Account not found', code: 'NOT_FOUND' },
      });
    }
  });
});

test('balances, lists and lookups are not cached', async () => {
  const anna = await aCustomer(100n);
  for (const path of [
    'balance',
    'transactions',
    'transactions/months',
    `verify-account/${anna.accountNumber}`,
  ]) {
    const answer = await fetch(`${bank.url}/api/v1/user/${path}`, {
      headers: { authorization: `Bearer ${anna.token}` },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('vary')).toBe('Authorization, Origin');
    expect(answer.headers.get('etag')).toBeNull();
  }
});

// Must be the last test: it exhausts the treasury.
test('a credit that would make the treasury’s balance too large to be exact is refused, and no money moves', async () => {
  const rich = await aCustomer();
  const found = await sql<{ balance: bigint }>`SELECT balance FROM ledger_accounts WHERE id = 1`.execute(
    parts().database.reader,
  );
  const body = { userAccountNumber: rich.accountNumber, amount: 1_000_000_000, description: 'more' };
  const almostEverything = 7_036_874_417_766_400n + found.rows[0]!.balance - 100n;
  await creditCustomer(parts().ledger, rich, almostEverything);
  const before = await balance(rich);
  const { status, body: refused } = await bank.call(adminApi.credit, { body, token: adminToken });
  expect({ status, message: refused.message }).toEqual({
    status: 400,
    message: 'Please enter a valid amount',
  });
  expect(await balance(rich)).toBe(before);
});
