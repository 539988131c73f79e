/**
 * Inserts customers directly into a database: registered, each with an account and a session, but without a working
 * password, so that nothing is hashed or mailed. If a test is about logging in, use `openTestBank().customer()` instead.
 */

import { randomUUID } from 'node:crypto';
import { newId } from '#server/base/uuid.ts';
import type { Database, Tx } from '#server/db/database.ts';
import type { Tokens } from '#server/http/tokens.ts';
import { approveAccount, openAccount, setFrozen } from '#server/ledger/accounts.ts';
import type { Ledger } from '#server/ledger/ledger.ts';
import { insertCustomer } from '#server/people/customers.ts';
import { openSession } from '#server/people/sessions.ts';
import { retryWhileBusy } from './waiting.ts';

export type SeededCustomer = {
  customerId: string;
  accountId: bigint;
  accountNumber: string;
  firstName: string;
  lastName: string;
  sessionId: string;
  token: string;
};

/** Default: approved and not frozen. */
export type SeedOptions = { firstName?: string; lastName?: string; approved?: boolean; frozen?: boolean };

let count = 0;

/** Registers one customer, approves or freezes the account as requested, and opens a session. */
export async function seedCustomer(
  database: Database,
  tokens: Tokens,
  { firstName = 'Nell', lastName, approved = true, frozen = false }: SeedOptions = {},
): Promise<SeededCustomer> {
  count++;
  const customerId = newId();
  const named = { firstName, lastName: lastName ?? `Number${count}` };
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
      email: `nell${count}-${accountNumber}@crowd.example`,
      phoneNumber: '2125550147',
      passwordHash: Buffer.from('not a password hash'),
      avatarFile: undefined,
      idCardFile: undefined,
    });
    if (approved) await approveAccount(tx, accountId);
    if (frozen) await setFrozen(tx, accountId, true);
    return { accountId, accountNumber, ...(await logIn(tx, tokens, customerId)) };
  });
  return { ...named, customerId, ...opened };
}

async function logIn(
  tx: Tx,
  tokens: Tokens,
  customerId: string,
): Promise<Pick<SeededCustomer, 'sessionId' | 'token'>> {
  const person = { personId: customerId, kind: 'customer' } as const;
  const session = await openSession(tx, { ...person, address: '::1', device: 'test' });
  return {
    sessionId: session.sessionId,
    token: await tokens.issue({ ...person, ...session, browser: undefined }),
  };
}

/** Opens new sessions for seeded customers, because a session ends after an hour. */
export async function logInAgain(
  database: Database,
  tokens: Tokens,
  customers: readonly SeededCustomer[],
): Promise<void> {
  await database.inTransaction(async tx => {
    for (const customer of customers) Object.assign(customer, await logIn(tx, tokens, customer.customerId));
  });
}

export function creditCustomer(
  ledger: Pick<Ledger, 'credit'>,
  { customerId, accountNumber }: Pick<SeededCustomer, 'customerId' | 'accountNumber'>,
  amountCents: bigint,
  description = 'start',
) {
  const idempotencyKey = randomUUID();
  return retryWhileBusy(() =>
    ledger.credit({
      adminId: customerId,
      sessionId: null,
      accountNumber,
      amountCents,
      description,
      idempotencyKey,
      address: '::1',
    }),
  );
}

/**
 * Registers `count` approved customers sequentially: in parallel they could time out waiting for a connection on a busy
 * machine.
 */
export async function seedCustomers(
  database: Database,
  tokens: Tokens,
  count: number,
): Promise<SeededCustomer[]> {
  const customers: SeededCustomer[] = [];
  while (customers.length < count) customers.push(await seedCustomer(database, tokens));
  return customers;
}
