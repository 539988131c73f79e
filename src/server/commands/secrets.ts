/**
 * `npm run secrets --`: shows which secrets (APP_SECRET) the bank depends on, makes a new secret, encrypts again with it what
 * former secrets encrypted, and deletes the former secrets. Works whether or not a server is running.
 */
import { keyIdOf } from '../base/keys.ts';
import type { Config } from '../config.ts';
import { listSecrets, refuseMissingSecret, refuseUnusedSecret, releaseFormer } from '../db/appSecrets.ts';
import { recordAudit } from '../db/audit.ts';
import { readBankState } from '../db/bankState.ts';
import type { Database } from '../db/database.ts';
import { countFormerMails, encryptMailsAgain } from '../jobs/rewrapMails.ts';
import { countUnwrapped, wrapSealKeys } from '../ledger/sealKeys.ts';
import { openLog } from '../log.ts';
import { openStore } from '../outside/objectStore.ts';
import { type OtherKeys, openPersonKeys } from '../outside/personKeys.ts';
import { isErased } from '../people/erasing.ts';
import { placeOfKeys } from '../people/lostKeys.ts';
import { countFormerHashes, encryptHashesAgain } from '../people/passwordHashes.ts';
import {
  type AppSecrets,
  deriveSecrets,
  findSecrets,
  makeSecret,
  type Secrets,
  storeLocalSecrets,
} from '../secrets.ts';
import { readCommandLine, refuseCommandLine } from './commandLine.ts';
import { refuseWithoutBank, runCommand, withDatabase } from './open.ts';

const usage = `Usage:
  npm run secrets -- status    shows the secrets by their ids, and what still depends on former ones
  npm run secrets -- rotate    makes a new secret in DATA_DIR and keeps the former one (not with APP_SECRET set)
  npm run secrets -- rewrap    encrypts again, with the current secret, what former ones encrypted
  npm run secrets -- drop      deletes the former secrets from DATA_DIR when nothing needs them (not with APP_SECRET set)
docs/operations.md has the steps of a rotation.
`;

const print = (text: string) => process.stdout.write(`${text}\n`);

type Context = { config: Config; database: Database; given: AppSecrets; secrets: Secrets };

async function openKeys({ config, database, secrets }: Context) {
  const log = openLog();
  const { bankId } = await readBankState(database.reader);
  const owner = { bankId, place: placeOfKeys(config), log };
  return openPersonKeys(openStore(config, log), secrets.personKey, owner);
}

type Counts = [what: string, count: number][];

/** How many things of each kind in the database depend on a former secret. */
async function countFormer({ database, secrets }: Context): Promise<Counts> {
  const { reader, ownerPool } = database;
  return [
    ['passwords', await countFormerHashes(reader, secrets.pepper)],
    ['mails that wait', await countFormerMails(ownerPool, secrets.codeKey)],
    ['parts of the audit log', await countUnwrapped(reader, secrets.sealKey)],
  ];
}

/** Also counts people's keys, and lists those that cannot be read. Throws if the folder of keys is not this bank's. */
async function findFormer(context: Context): Promise<{ counts: Counts } & OtherKeys> {
  const { former, ...rest } = await (await openKeys(context)).findFormer();
  return { counts: [["people's keys", former], ...(await countFormer(context))], ...rest };
}

/** Names the keys that cannot be read, and says what to do. */
function printUnread({ config }: Context, { unread, others }: OtherKeys): void {
  const place = placeOfKeys(config);
  if (others > 0)
    print(
      `Other files in ${place}: ${others}. They are keys of another bank that uses this folder, or damaged: none of the given secrets encrypted them. They stay as they are.`,
    );
  if (unread.length > 0)
    print(
      `These people's keys in ${place} cannot be read. EACCES: correct the owner and the rights of the file. EIO: check the disk. Unknown key: give the secret with that id in APP_SECRET_PREVIOUS, too. Only if a file is damaged, put a copy in its place, or if there is none, delete it: the person's pictures and authenticator app are then lost. Then run npm run secrets -- rewrap.\n  ${unread.join('\n  ')}`,
    );
}

async function status(context: Context): Promise<number> {
  const ids = context.given.map(keyIdOf);
  for (const { id, firstUsedAt, isReleased } of await listSecrets(context.database.ownerPool)) {
    const place = ids.indexOf(id);
    const state = place === 0 ? 'current' : isReleased ? 'not needed' : 'former';
    print(
      [id, state, place < 0 ? 'not given' : 'given', `first used ${firstUsedAt.toISOString()}`].join('\t'),
    );
  }
  // A restored bank may have no folder of keys yet.
  const found = await findFormer(context).catch((error: Error) => error);
  const counts = found instanceof Error ? await countFormer(context) : found.counts;
  for (const [what, count] of counts) print(`${what}: ${count} depend on a former secret`);
  if (found instanceof Error) print(found.message);
  else printUnread(context, found);
  return 0;
}

async function rewrap(context: Context): Promise<number> {
  const { database, given, secrets } = context;
  const [current] = given.map(keyIdOf) as [string];
  await refuseUnusedSecret(database.ownerPool, current);
  await (await openKeys(context)).rewrap(personId => isErased(database.reader, personId));
  await encryptMailsAgain(database.ownerPool, secrets.codeKey);
  await database.inTransaction(tx => wrapSealKeys(tx, secrets.sealKey));
  await encryptHashesAgain(database, secrets.pepper);
  const { counts, ...rest } = await findFormer(context);
  const left = counts.filter(([, count]) => count > 0);
  for (const [what, count] of left) print(`${what}: ${count} still depend on a former secret`);
  printUnread(context, rest);
  if (left.length > 0)
    print('Is a server still running with a former secret? Restart it, and run this command again.');
  if (left.length > 0 || rest.unread.length > 0) return 1;
  if (await releaseFormer(database.ownerPool, current))
    await database.inTransaction(tx =>
      recordAudit(tx, { actor: { kind: 'system' }, action: 'secret.rotated' }),
    );
  print(`Everything that is stored depends on the secret ${current} alone.`);
  print(
    'Links in earlier mails work until every server is restarted without the former secret, and at most 30 days.',
  );
  return 0;
}

function refuseGiven({ config }: Pick<Context, 'config'>, advice: string): void {
  if (config.appSecret !== undefined) throw new Error(`APP_SECRET is set in the environment: ${advice}`);
}

async function rotate({ config, given }: Context): Promise<number> {
  refuseGiven(
    { config },
    'make a new one, as with openssl rand -base64 32, and give the former one in APP_SECRET_PREVIOUS.',
  );
  const made = makeSecret();
  storeLocalSecrets(config.dataDir, [made, ...given]);
  print(`The new secret has the id ${keyIdOf(made)}. Restart the server, then: npm run secrets -- rewrap`);
  return 0;
}

async function drop(context: Context): Promise<number> {
  const { config, given } = context;
  refuseGiven(
    { config },
    'remove APP_SECRET_PREVIOUS there when npm run secrets -- rewrap is done, and restart every server.',
  );
  const { counts, unread } = await findFormer(context);
  const needed: typeof counts = [...counts, ["people's keys that cannot be read", unread.length]];
  const left = needed.filter(([, count]) => count > 0);
  if (left.length > 0)
    throw new Error(
      `Former secrets are still needed for ${left.map(([what, count]) => `${count} ${what}`).join(', ')}. Run npm run secrets -- rewrap first. Nothing was changed.`,
    );
  await releaseFormer(context.database.ownerPool, keyIdOf(given[0]));
  storeLocalSecrets(config.dataDir, [given[0]]);
  print(
    `Secrets deleted from DATA_DIR: ${given.length - 1}. Backups from before the rotation still hold them.`,
  );
  if (given.length > 1)
    print(
      'Restart every server: until its restart, a server accepts sessions and links of the former secrets.',
    );
  return 0;
}

await runCommand(async () => {
  const { positionals } = readCommandLine(usage, { allowPositionals: true });
  const acts: Record<string, (context: Context) => Promise<number>> = { status, rotate, rewrap, drop };
  const act = acts[positionals.join(' ')];
  if (!act) refuseCommandLine(usage);
  return await withDatabase(async ({ config, database }) => {
    const given = findSecrets(config);
    if (!given) throw new Error('The bank has no secret yet, or APP_SECRET is missing.');
    await refuseWithoutBank(database);
    await refuseMissingSecret(database.ownerPool, given.map(keyIdOf));
    return await act({ config, database, given, secrets: deriveSecrets(...given) });
  });
});
