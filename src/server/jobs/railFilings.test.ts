/** What someone who has the server's own login to the database can do to payments that have ended, and to their routes. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { bank as names } from '#contract/constants.ts';
import { endExternal } from '../../../tests/endExternal.ts';
import { counterparty, deposit, head, sendToOtherBank, storeRailFile } from '../../../tests/railLines.ts';
import type { SeededCustomer } from '../../../tests/seedCustomers.ts';
import { openTestBank, type TestBank } from '../../../tests/server.ts';
import { parseBankDirectory } from '../base/routingNumbers.ts';
import { systemClock } from '../outside/clock.ts';
import { openBankRail } from '../outside/rail/bankRail.ts';
import { endToEndId, writePayments } from '../outside/rail/iso20022.ts';
import { decidePayment, submitPayment } from './payments.ts';
import { makeFiles, sendMade } from './railOutgoing.ts';

let bank: TestBank;
let anna: SeededCustomer;
beforeAll(async () => {
  bank = await openTestBank({ RAIL_DAY_SECONDS: '0.05', JOBS: 'off' });
  anna = await bank.seeded({ cents: 100_000n });
});
afterAll(() => bank.close());

const log = { error: vi.fn(), warn: vi.fn(), info: vi.fn() };
/** The bank with a directory of two banks. */
const parts = () => {
  const { parts: own } = bank.bank;
  const banks = parseBankDirectory(
    `${counterparty},First Harbor\n${thief},Thief Trust`,
    own.config.routingNumber,
  );
  return {
    ...own,
    log: { ...own.log, ...log },
    rail: { ...openBankRail(systemClock, own.config, banks), cutOff: (at: Date) => at },
  };
};
const thief = '800000048';
/** Runs a statement as the server's login, which is the attacker. */
const attack = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await bank.test.database.pool.query<Row>(text, values)).rows;
const isOut = (name: string) => existsSync(join(bank.bank.parts.config.dataDir, 'rail', 'out', name));

const sent = () => sendToOtherBank(parts().ledger, anna);
async function submitted(): Promise<string> {
  const id = await sent();
  await submitPayment(parts(), { transactionId: id });
  return id;
}
/** Stores a file with this payment, as the server would. */
async function store(id: string, to = counterparty) {
  const made = { ...head(names.routingNumber), to };
  const [row] = await attack<{ reference: string }>('SELECT reference FROM transactions WHERE id = $1', [id]);
  const written = writePayments(made, [
    deposit('40218836117', { id, amountCents: 1_000n, reference: row!.reference }),
  ]);
  await storeRailFile(bank.test.database.pool, made, 'pacs.008', written);
  return { id: made.id, name: written.name };
}
const fileInto = (payment: string, file: string) =>
  attack(`UPDATE rail_outgoing SET file_id = $2, line = 1, key = $3 WHERE transaction_id = $1`, [
    payment,
    file,
    endToEndId(payment),
  ]);
const inserted = (payment: string) =>
  attack('INSERT INTO rail_outgoing (transaction_id, counterparty) VALUES ($1, $2)', [payment, counterparty]);
const insertedInto = (payment: string, file: string) =>
  attack(
    'INSERT INTO rail_outgoing (transaction_id, counterparty, file_id, line, key) VALUES ($1, $2, $3, 1, $4)',
    [payment, counterparty, file, endToEndId(payment)],
  );
const stateOf = async (file: string) =>
  (await attack<{ state: string }>('SELECT state FROM rail_files WHERE id = $1', [file]))[0]!.state;
const ended = 'is not submitted and pending';

test('the server’s login cannot let a canceled, returned or completed payment leave in a file [RF-31]', async () => {
  const [canceled, returned, completed] = [await sent(), await submitted(), await submitted()];
  const by = { kind: 'customer', id: anna.customerId, address: '::1' } as const;
  await bank.test.database.inTransaction(tx => parts().ledger.cancelExternal(tx, canceled, by));
  await endExternal(parts(), returned, { isSettled: false, reason: 'Closed (AC04)' });
  await endExternal(parts(), completed, { isSettled: true });
  const forged: string[] = [];
  for (const id of [canceled, returned, completed]) {
    const file = await store(id);
    forged.push(file.name);
    await expect(insertedInto(id, file.id)).rejects.toThrow('put into a file after it was added');
    await expect(inserted(id)).rejects.toThrow(ended);
    if (id !== canceled) await expect(fileInto(id, file.id)).rejects.toThrow(ended);
    const submit = 'UPDATE external_transfers SET submitted_at = now() WHERE transaction_id = $1';
    await expect(attack(submit, [id])).rejects.toThrow('external_transfers');
  }
  await sendMade(parts());
  for (const name of forged) expect(isOut(name)).toBe(false);
});

test('the server’s login cannot file a payment that can still be canceled, nor hide that one was submitted [RF-31]', async () => {
  const [early, late] = [await sent(), await submitted()];
  await expect(inserted(early)).rejects.toThrow(ended);
  for (const value of ['NULL', "now() + interval '1 day'"])
    await expect(
      attack(`UPDATE external_transfers SET submitted_at = ${value} WHERE transaction_id = $1`, [late]),
    ).rejects.toThrow('external_transfers');
});

test('the server’s login cannot send a payment a second time by giving its file another name, message or state [RF-31]', async () => {
  const id = await submitted();
  await makeFiles(parts());
  await sendMade(parts());
  const [row] = await attack<{ id: string }>(
    'SELECT file_id AS id FROM rail_outgoing WHERE transaction_id = $1',
    [id],
  );
  expect(await stateOf(row!.id)).toBe('sent');
  for (const change of [
    "state = 'made'",
    "name = 'pacs008-2026-11-30-000000000000.xml'",
    "message_id = 'another'",
    `counterparty = '${thief}'`,
    "format = 'nacha'",
  ])
    await expect(attack(`UPDATE rail_files SET ${change} WHERE id = $1`, [row!.id]), change).rejects.toThrow(
      /is not sent again|rail_files/,
    );
  expect(await stateOf(row!.id)).toBe('sent');
});

test('a payment that the server’s login redirects to another bank of the directory does not leave, even if its file is marked as sent [RF-31]', async () => {
  const id = await sent();
  await attack('UPDATE external_transfers SET submitted_at = now() WHERE transaction_id = $1', [id]);
  await attack('INSERT INTO rail_outgoing (transaction_id, counterparty) VALUES ($1, $2)', [id, thief]);
  await submitPayment(parts(), { transactionId: id });
  const file = await store(id, thief);
  await fileInto(id, file.id);
  const why = `it goes to ${thief} instead of ${counterparty}`;
  const decide = () => decidePayment(parts(), { transactionId: id });
  for (let attempt = 0; attempt < 2; attempt++) {
    await expect(decide()).rejects.toThrow(why);
    await sendMade(parts());
  }
  expect(log.error).toHaveBeenCalledWith({ file: file.name, why }, expect.any(String));
  await attack("UPDATE rail_files SET state = 'sent' WHERE id = $1", [file.id]);
  await expect(decide()).rejects.toThrow(why);
  expect(isOut(file.name)).toBe(false);
});

test('a file that waits while the number of its bank changes in the directory is sent once the former number is back [RF-31]', async () => {
  const id = await submitted();
  await makeFiles(parts());
  const [row] = await attack<{ id: string; name: string }>(
    'SELECT f.id, f.name FROM rail_outgoing o JOIN rail_files f ON f.id = o.file_id WHERE transaction_id = $1',
    [id],
  );
  const moved = { ...parts(), rail: { ...parts().rail, routeTo: () => thief } };
  await sendMade(moved);
  expect(isOut(row!.name)).toBe(false);
  await sendMade(parts());
  expect(isOut(row!.name)).toBe(true);
});
