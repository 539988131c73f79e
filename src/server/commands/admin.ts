/**
 * `npm run admin --`: creates, lists and disables administrators, resets their passwords and second factors, and imports the
 * sanctions list. A password is generated and printed once; each change is audited.
 */
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import { calendarDay } from '#contract/bankTime.ts';
import { email as emailRule } from '#contract/fields.ts';
import { type Role, roles } from '#contract/roles.ts';
import { codeOf, type Tx } from '../db/database.ts';
import { prepareDatabase } from '../db/migrate.ts';
import { enqueueJob } from '../jobs/queue.ts';
import { failRequestsOf } from '../jobs/requestMails.ts';
import { encryptAddressee } from '../people/addressee.ts';
import {
  createAdmin,
  disableAdmin,
  listAdmins,
  resetAdminFactors,
  resetAdminPassword,
} from '../people/admins.ts';
import type { PeopleContext } from '../people/passwordAttempt.ts';
import { readSanctionsFile } from '../people/sanctionsFile.ts';
import { importList, type ListEntry } from '../people/sanctionsList.ts';
import { readSecrets } from '../secrets.ts';
import { readCommandLine, refuseCommandLine } from './commandLine.ts';
import { refuseWithoutBank, runCommand, withDatabase } from './open.ts';

const usage = `Usage:
  npm run admin -- create <email>           creates an administrator and prints a generated password: an owner if there
                                            is none, otherwise an operator
  npm run admin -- create <email> --role <role>   viewer, support, operator, auditor or owner
  npm run admin -- list                     lists all administrators, including disabled ones
  npm run admin -- disable <email>          ends every session; the administrator stays in the list
  npm run admin -- disable <email> --last   even if no owner is left
  npm run admin -- reset-password <email>   prints a new password and ends every session
  npm run admin -- import-sanctions <csv>   replaces the sanctions list, and screens every customer in the background
  npm run admin -- import-sanctions --none  removes the sanctions list and ends screening
  npm run admin -- reset-factors <email>    removes authenticator app, recovery codes and passkeys, and ends every session
`;

const print = (text: string) => process.stdout.write(`${text}\n`);
const printError = (text: string) => process.stderr.write(`${text}\n`);

/** Letters and digits that are not easily confused; 24 of them are more than 130 random bits. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';
const generatePassword = () =>
  Array.from({ length: 24 }, () => alphabet[randomInt(alphabet.length)]).join('');

async function create(context: PeopleContext, email: string, role: Role | undefined): Promise<number> {
  const password = generatePassword();
  const name = email.slice(0, email.indexOf('@'));
  const created = await createAdmin(context, { email, name, password, ...(role && { role }) });
  if (!created) {
    printError(`${email} is already an administrator, or was one. Nothing was changed.`);
    return 1;
  }
  print(
    `Administrator ${email} was created with the role ${created.role}. The password, shown only now:\n\n  ${password}\n`,
  );
  return 0;
}

async function list({ database }: PeopleContext): Promise<number> {
  for (const { email, name, role, createdAt, disabledAt } of await listAdmins(database.reader)) {
    const state = disabledAt ? `disabled ${calendarDay(disabledAt)}` : 'enabled';
    print([email, name, role, `created ${calendarDay(createdAt)}`, state].join('\t'));
  }
  return 0;
}

async function disable(context: PeopleContext, email: string, evenTheLast: boolean): Promise<number> {
  const result = await disableAdmin(context, email, { evenTheLast }, async (tx, { email: to, name }) => {
    const encryptedAddressee = encryptAddressee({ to, name }, context.secrets.codeKey);
    await enqueueJob(tx, 'mail', { template: 'staff-disabled', encryptedAddressee });
  });
  if (result === 'disabled') {
    print(`Administrator ${email} was disabled; every session has ended.`);
    return 0;
  }
  if (result === 'last') {
    printError(`${email} is the last owner. Nothing was changed.`);
    printError(`Create another owner first, or confirm: npm run admin -- disable ${email} --last`);
  } else {
    const why = result === 'unknown' ? 'is not an administrator' : 'is already disabled';
    printError(`${email} ${why}. Nothing was changed.`);
  }
  return 1;
}

const mailAndFailRequests =
  (template: 'staff-password-set' | 'factors-reset') => async (tx: Tx, personId: string) => {
    await failRequestsOf(tx, personId);
    await enqueueJob(tx, 'mail', { template, personId });
  };

async function resetPassword(context: PeopleContext, email: string): Promise<number> {
  const password = generatePassword();
  if (!(await resetAdminPassword(context, { email, password }, mailAndFailRequests('staff-password-set')))) {
    printError(`${email} is not an administrator, or is disabled. Nothing was changed.`);
    return 1;
  }
  print(
    `Administrator ${email} has a new password; every session has ended. Shown only now:\n\n  ${password}\n`,
  );
  return 0;
}

async function resetFactors(context: PeopleContext, email: string): Promise<number> {
  if (!(await resetAdminFactors(context, email, mailAndFailRequests('factors-reset')))) {
    printError(`${email} is not an administrator, or has never set a password. Nothing was changed.`);
    return 1;
  }
  print(`Administrator ${email} no longer has a second factor; every session has ended.`);
  return 0;
}

async function importSanctions({ database }: PeopleContext, entries: readonly ListEntry[]): Promise<number> {
  const customers = await database.inTransaction(async tx => {
    const importId = await importList(tx, entries);
    await enqueueJob(tx, 'screen-customers', { importId }, { key: 'screen-customers' });
    if (entries.length === 0) return 0;
    const found = await sql<{ count: number }>`
      SELECT count(*)::integer AS count FROM customers WHERE deleted_at IS NULL`.execute(tx);
    return found.rows[0]!.count;
  });
  print(
    entries.length === 0
      ? 'The sanctions list was removed. No customer is screened anymore.'
      : `The sanctions list now has ${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}. ${customers} ${customers === 1 ? 'customer' : 'customers'} will be screened while a server runs. The back office shows the matches under Screening.`,
  );
  return 0;
}

/** The entries of a file; throws if it cannot be read or has none. */
function readEntries(path: string): ListEntry[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`The file ${path} cannot be read (${codeOf(error)}). Nothing was changed.`);
  }
  const entries = tryRead(text);
  if (entries.length === 0)
    throw new Error('The file has no entry. Nothing was changed. To remove the list, use --none.');
  return entries;
}

function tryRead(text: string): ListEntry[] {
  try {
    return readSanctionsFile(text);
  } catch (error) {
    throw new Error(`${(error as Error).message} Nothing was changed.`);
  }
}

/** The command for these arguments; undefined if they are invalid. */
function parseCommand(
  [verb, address, ...rest]: string[],
  { last: evenTheLast, role, none }: { last: boolean; none: boolean; role: Role | undefined },
): ((context: PeopleContext) => Promise<number>) | undefined {
  if (rest.length > 0 || (evenTheLast && verb !== 'disable')) return undefined;
  if (role && verb !== 'create') return undefined;
  if (verb === 'list') return address === undefined ? list : undefined;
  if (verb === 'import-sanctions') {
    if (none === (address !== undefined)) return undefined;
    return context => importSanctions(context, address === undefined ? [] : readEntries(address));
  }
  if (address === undefined || none) return undefined;
  const acts: Record<string, (context: PeopleContext, email: string) => Promise<number>> = {
    create: (context, email) => create(context, email, role),
    disable: (context, email) => disable(context, email, evenTheLast),
    'reset-password': resetPassword,
    'reset-factors': resetFactors,
  };
  const act = acts[verb ?? ''];
  return act && (context => act(context, z.decode(emailRule, address)));
}

await runCommand(async () => {
  const flag = { type: 'boolean', default: false } as const;
  const options = { last: flag, none: flag, role: { type: 'string' } } as const;
  const { values, positionals } = readCommandLine(usage, { options, allowPositionals: true });
  const role = roles.find(one => one === values.role);
  if (values.role !== undefined && !role)
    refuseCommandLine(usage, `'${values.role}' is not a role. Roles: ${roles.join(', ')}.`);
  const act = parseCommand(positionals, { ...values, role });
  if (!act) refuseCommandLine(usage);
  const hasEmail = positionals[0] !== 'list' && positionals[0] !== 'import-sanctions';
  const email = hasEmail ? z.safeParse(emailRule, positionals[1]) : undefined;
  if (email?.error) refuseCommandLine(usage, email.error.issues[0]!.message);
  return await withDatabase(async ({ config, database }) => {
    // Before the server's first start, only `create` works. A sanctions list, for example, would be stored but screen no one.
    if (positionals[0] !== 'create') await refuseWithoutBank(database);
    const secrets = readSecrets(config);
    await prepareDatabase(database.ownerPool, secrets.databaseKey, { allowsNewSecret: false });
    return await act({ database, secrets });
  });
});
