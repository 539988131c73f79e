/** `npm run admin -- create <email>`: creates an administrator and prints the generated password, this once. */
import { randomInt } from 'node:crypto';
import * as z from 'zod/mini';
import { email as emailRule } from '#contract/fields.ts';
import { createAdmin } from '../people/admins.ts';
import { openForCommand } from './open.ts';

/** Letters and digits that nobody mistakes for each other; 24 of them are more than 130 random bits. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

const [verb, address, ...rest] = process.argv.slice(2);
if (verb !== 'create' || address === undefined || rest.length > 0) {
  process.stderr.write('Usage: npm run admin -- create <email>\n');
  process.exit(2);
}
const parsed = z.safeParse(emailRule, address);
if (!parsed.success) {
  process.stderr.write(`${parsed.error.issues[0]!.message}\n`);
  process.exit(2);
}
const email = parsed.data;

const { database, secrets, close } = await openForCommand();
try {
  const password = Array.from({ length: 24 }, () => letters[randomInt(letters.length)]).join('');
  const name = email.slice(0, email.indexOf('@'));
  const id = await createAdmin({ database, secrets: secrets() }, { email, name, password });
  if (id === undefined) {
    process.stderr.write(`${email} is an administrator already. Nothing was changed.\n`);
    process.exitCode = 1;
  } else {
    process.stdout.write(
      `Administrator ${email} was created. The password, shown only now:\n\n  ${password}\n\n`,
    );
  }
} finally {
  await close();
}
