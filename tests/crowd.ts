/**
 * Customers made quickly, straight into a database: registered, with an account and a session each, but without a
 * password, so that nothing is hashed and nothing mailed. Where a test is about logging in, use `openTestBank().customer()`.
 */

import { newId } from '#server/base/uuid.ts';
import type { Database } from '#server/db/database.ts';
import type { Tokens } from '#server/http/tokens.ts';
import { approveAccount, openAccount, setFrozen } from '#server/ledger/accounts.ts';
import { insertCustomer } from '#server/people/customers.ts';
import { openSession } from '#server/people/sessions.ts';

export type Member = {
  customerId: string;
  accountId: bigint;
  accountNumber: string;
  firstName: string;
  lastName: string;
  sessionId: string;
  token: string;
};

/** Approved and not frozen unless told otherwise. */
export type Wanted = { firstName?: string; lastName?: string; approved?: boolean; frozen?: boolean };

let made = 0;

/** Registers one customer, decides about the account and opens a session of an hour. */
export async function enrol(
  database: Database,
  tokens: Tokens,
  { firstName = 'Nell', lastName, approved = true, frozen = false }: Wanted = {},
): Promise<Member> {
  made++;
  const customerId = newId();
  const named = { firstName, lastName: lastName ?? `Number${made}` };
  const opened = await database.inTransaction(async tx => {
    const { accountId, accountNumber } = await openAccount(tx);
    await insertCustomer(tx, {
      ...named,
      id: customerId,
      accountId,
      middleName: '',
      gender: 'female',
      address: '4 Meadow Row',
      region: 'New York',
      zipCode: '10014',
      email: `nell${made}-${accountNumber}@crowd.example`,
      phoneNumber: '2125550147',
      passwordHash: Buffer.from('nobody logs in with this'),
      avatarFile: undefined,
      idCardFile: undefined,
    });
    if (approved) await approveAccount(tx, accountId);
    if (frozen) await setFrozen(tx, accountId, true);
    const session = await openSession(tx, {
      personId: customerId,
      kind: 'customer',
      address: '::1',
      device: 'test',
    });
    return { accountId, accountNumber, ...session };
  });
  const { accountId, accountNumber, sessionId, expiresAt } = opened;
  const token = await tokens.issue({ kind: 'customer', personId: customerId, sessionId, expiresAt });
  return { ...named, customerId, accountId, accountNumber, sessionId, token };
}

/** `count` approved customers, made one after the other: on a busy machine many at once would wait too long for a connection. */
export async function gather(database: Database, tokens: Tokens, count: number): Promise<Member[]> {
  const members: Member[] = [];
  while (members.length < count) members.push(await enrol(database, tokens));
  return members;
}
