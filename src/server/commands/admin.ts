/**
 * `npm run admin --`: who runs the bank. Creates and lists administrators, disables one, gives one a new password. A
 * password is generated and printed once; each act is recorded in the audit log.
 */
import { randomInt } from 'node:crypto';
import * as z from 'zod/mini';
import { email as emailRule } from '#contract/fields.ts';
import { migrate } from '../db/migrate.ts';
import { createAdmin, disableAdmin, listAdmins, resetAdminPassword } from '../people/admins.ts';
import type { PeopleRoom } from '../people/passwordAttempt.ts';
import { deriveSecrets, keepLocalSecret } from '../secrets.ts';
import { readCommandLine, refuseCommandLine } from './commandLine.ts';
import { openForCommand, runCommand } from './open.ts';

const usage = `Usage:
  npm run admin -- create <email>           makes an administrator and prints a generated password
  npm run admin -- list                     shows all there are and were
  npm run admin -- disable <email>          ends every session; the record stays
  npm run admin -- disable <email> --last   even where nobody is left to run the bank
  npm run admin -- reset-password <email>   prints a new password and ends every session
`;

const say = (text: string) => process.stdout.write(`${text}\n`);
const complain = (text: string) => process.stderr.write(`${text}\n`);

/** Letters and digits that nobody mistakes for each other; 24 of them are more than 130 random bits. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const makePassword = () => Array.from({ length: 24 }, () => letters[randomInt(letters.length)]).join('');

async function create(room: PeopleRoom, email: string): Promise<number> {
  const password = makePassword();
  const name = email.slice(0, email.indexOf('@'));
  if ((await createAdmin(room, { email, name, password })) === undefined) {
    complain(`${email} is an administrator already, or was one. Nothing was changed.`);
    return 1;
  }
  say(`Administrator ${email} was created. The password, shown only now:\n\n  ${password}\n`);
  return 0;
}

async function list({ database }: PeopleRoom): Promise<number> {
  const day = (at: Date) => at.toISOString().slice(0, 10);
  for (const { email, name, createdAt, disabledAt } of await listAdmins(database.reader)) {
    const state = disabledAt ? `disabled ${day(disabledAt)}` : 'enabled';
    say([email, name, `created ${day(createdAt)}`, state].join('\t'));
  }
  return 0;
}

async function disable(room: PeopleRoom, email: string, evenTheLast: boolean): Promise<number> {
  const became = await disableAdmin(room, email, { evenTheLast });
  if (became === 'disabled') {
    say(`Administrator ${email} was disabled; every session has ended.`);
    return 0;
  }
  if (became === 'last') {
    complain(`${email} is the last administrator: nobody could run the bank any more. Nothing was changed.`);
    complain(`Create another one first, or say that you mean it: npm run admin -- disable ${email} --last`);
  } else {
    const why = became === 'unknown' ? 'is no administrator' : 'was disabled before';
    complain(`${email} ${why}. Nothing was changed.`);
  }
  return 1;
}

async function resetPassword(room: PeopleRoom, email: string): Promise<number> {
  const password = makePassword();
  if (!(await resetAdminPassword(room, { email, password }))) {
    complain(`${email} is no administrator, or is disabled. Nothing was changed.`);
    return 1;
  }
  say(
    `Administrator ${email} has a new password; every session has ended. Shown only now:\n\n  ${password}\n`,
  );
  return 0;
}

/** What the words of the command line mean; undefined where they mean nothing. */
function readWords(
  [verb, address, ...rest]: string[],
  evenTheLast: boolean,
): ((room: PeopleRoom) => Promise<number>) | undefined {
  if (rest.length > 0 || (evenTheLast && verb !== 'disable')) return undefined;
  if (verb === 'list') return address === undefined ? list : undefined;
  if (address === undefined) return undefined;
  const acts: Record<string, (room: PeopleRoom, email: string) => Promise<number>> = {
    create,
    disable: (room, email) => disable(room, email, evenTheLast),
    'reset-password': resetPassword,
  };
  const act = acts[verb ?? ''];
  return act && (room => act(room, z.decode(emailRule, address)));
}

await runCommand(async () => {
  const options = { last: { type: 'boolean', default: false } } as const;
  const { values, positionals } = readCommandLine(usage, { options, allowPositionals: true });
  const act = readWords(positionals, values.last);
  if (!act) refuseCommandLine(usage);
  const email = positionals[0] === 'list' ? undefined : z.safeParse(emailRule, positionals[1]);
  if (email?.error) refuseCommandLine(usage, email.error.issues[0]!.message);
  const { config, database, close } = await openForCommand({ needsSecret: true });
  try {
    await migrate(database.ownerPool);
    const secrets = deriveSecrets(config.appSecret ?? keepLocalSecret(config.dataDir));
    return await act({ database, secrets });
  } finally {
    await close();
  }
});
