/** Customers and administrators, inserted directly into a database, for tests without a bank. */

import { newId } from '#server/base/uuid.ts';
import type { Database } from '#server/db/database.ts';
import { openAccount } from '#server/ledger/accounts.ts';
import { createAdmin } from '#server/people/admins.ts';
import { insertCustomer } from '#server/people/customers.ts';
import { hashPassword } from '#server/people/passwords.ts';
import { testKeys, testSecrets } from './database.ts';

export { testKeys, testSecrets };

export const personPassword = '482913';

let count = 0;

/** Returns the fields of a registration form; every call is for a new person. */
export function registrationFields(): {
  firstName: string;
  middleName: string;
  lastName: string;
  gender: string;
  address: string;
  region: string;
  zipCode: string;
  email: string;
  phoneNumber: string;
} {
  count++;
  return {
    firstName: 'Iris',
    middleName: '',
    lastName: `Field ${count}`,
    gender: 'female',
    address: '4 Willow Lane',
    region: 'Vermont',
    zipCode: '05401',
    email: `iris${count}@mail.example`,
    phoneNumber: '8025550100',
  };
}

/** Registers a customer, pending approval. The password is `personPassword`. */
export async function aCustomer(
  database: Database,
  form = registrationFields(),
): Promise<{ id: string; email: string; accountId: bigint; accountNumber: string }> {
  const id = newId();
  const passwordHash = await hashPassword(testSecrets, 'customer', id, personPassword);
  const account = await database.inTransaction(async tx => {
    const opened = await openAccount(tx);
    await insertCustomer(tx, {
      ...form,
      id,
      accountId: opened.accountId,
      passwordHash,
      avatarFile: `avatar-${id}.webp`,
      idCardFile: undefined,
    });
    return opened;
  });
  return { id, email: form.email, ...account };
}

export async function anAdministrator(
  database: Database,
): Promise<{ id: string; email: string; password: string }> {
  count++;
  const email = `admin${count}@mail.example`;
  const password = 'a quiet river stone';
  const { id } = (await createAdmin({ database, secrets: testSecrets }, { email, name: 'Ada', password }))!;
  return { id, email, password };
}
