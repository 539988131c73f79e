/** `npm run admin -- create <email>`: creates an administrator and prints the generated password, this once. */
import { randomInt } from 'node:crypto';
import * as z from 'zod/mini';
import { email as emailRule } from '#contract/fields.ts';
import { migrate } from '../db/migrate.ts';
import { createAdmin } from '../people/admins.ts';
import { deriveSecrets, keepLocalSecret } from '../secrets.ts';
import { openForCommand, runCommand } from './open.ts';

/** Letters and digits that nobody mistakes for each other; 24 of them are more than 130 random bits. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

await runCommand(async () => {
  const [verb, address, ...rest] = process.argv.slice(2);
  if (verb !== 'create' || address === undefined || rest.length > 0) {
    process.stderr.write('Usage: npm run admin -- create <email>\n');
    return 2;
  }
  const parsed = z.safeParse(emailRule, address);
  if (!parsed.success) {
    process.stderr.write(`${parsed.error.issues[0]!.message}\n`);
    return 2;
  }
  const email = parsed.data;
  const { config, database, close } = await openForCommand({ needsSecret: true });
  try {
    await migrate(database.ownerPool);
    const secrets = deriveSecrets(config.appSecret ?? keepLocalSecret(config.dataDir));
    const password = Array.from({ length: 24 }, () => letters[randomInt(letters.length)]).join('');
    const name = email.slice(0, email.indexOf('@'));
    const id = await createAdmin({ database, secrets }, { email, name, password });
    if (id === undefined) {
      process.stderr.write(`${email} is an administrator already. Nothing was changed.\n`);
      return 1;
    }
    process.stdout.write(
      `Administrator ${email} was created. The password, shown only now:\n\n  ${password}\n\n`,
    );
    return 0;
  } finally {
    await close();
  }
});
