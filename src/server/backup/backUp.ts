/**
 * Makes base backups of the embedded bank (database, secrets and pictures), continuously copies its write-ahead log, secrets,
 * new pictures and people's keys, and deletes old backups.
 */
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { withDeadline } from '../base/deadline.ts';
import {
  copyDurably,
  copyFolder,
  draftSuffix,
  exists,
  ignore,
  syncFolder,
  writeDurably,
} from '../base/durableFiles.ts';
import { startRetryLoop } from '../base/retryLoop.ts';
import type { Config } from '../config.ts';
import type { EmbeddedPostgres } from '../embedded/embedded.ts';
import { copyFiles, listPictures } from './copyFiles.ts';
import {
  type Archived,
  auditHeads,
  type BackupFolder,
  backupFolder,
  completeFile,
  listBaseBackups,
  readArchived,
  segmentPosition,
} from './folder.ts';
import { deleteTimes } from './times.ts';
import { archiveWal, findSegment, keepWal, type Queries, stopKeepingWal } from './walArchive.ts';

type Place = Pick<Config, 'dataDir'> & { backupDir: string };
type Log = { warn(details: object, message: string): void; error(details: object, message: string): void };

const archiveIdleMs = 10_000;
/** How long a start waits for the folder, and how long a copy by this or another process may take before it is reported. */
const [checkMs, lateMs] = [5_000, 60_000];
const draftMs = 24 * 60 * 60 * 1000;
const retentionMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Files of a cluster that belong to the running server or are rebuilt by a restore (PostgreSQL's manual, "Making a Base
 * Backup").
 */
const excludedFiles =
  /^(postmaster\.(pid|opts)|larkspur\.probe|backup_label(\.old)?|recovery\.signal|standby\.signal)$|^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/|(^|\/)pgsql_tmp/;

/** Connects to the embedded database as its owner, without time limits. */
async function connect({ connection }: Pick<EmbeddedPostgres, 'connection'>): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, application_name: 'larkspur backup' });
  client.on('error', () => {});
  await client.connect();
  return client;
}

const isConnected = (client: pg.Client): Promise<boolean> =>
  withDeadline(
    client.query('SELECT').then(
      () => true,
      () => false,
    ),
    5_000,
    () => false,
  );

const clusterDirOf = ({ dataDir }: Place) => join(dataDir, 'postgres');

/** The lock of the process that copies the log: two processes would overwrite each other's files. */
const archiveLock = 4_802_713;

/** Throws if the folder is missing. Does not create it: without its mounted disk, backups would go to another one unnoticed. */
async function refuseMissing({ root }: BackupFolder): Promise<void> {
  if (!(await exists(root)))
    throw new Error(
      `BACKUP_DIR does not exist. Mount its disk, or make the folder for a first backup: mkdir -p '${root}'`,
    );
}

/** The backup folder has backups of another bank. */
class ForeignBackups extends Error {
  constructor() {
    super(
      'BACKUP_DIR has backups of another bank. If DATA_DIR was lost, restore that bank (npm run restore). Otherwise give this bank another folder.',
    );
  }
}

/**
 * Returns the bank's id. Throws `ForeignBackups` if the folder has backups of another bank: copies would overwrite that bank's
 * log, secrets and keys. This happens if a server's disk is lost or not mounted, because the server then starts as a new bank.
 * Also throws if there is no folder, or if it has backups and none of them can be read.
 */
async function refuseForeign(client: Queries, folder: BackupFolder): Promise<string> {
  await refuseMissing(folder);
  const { rows } = await client.query<{ id: string }>('SELECT bank_id AS id FROM bank_state');
  const { id } = rows[0]!;
  let failure: Error | undefined;
  const backups = await listBaseBackups(folder, error => {
    failure ??= error;
  });
  if (backups.some(({ bankId }) => bankId !== id)) throw new ForeignBackups();
  if (failure && backups.length === 0) throw failure;
  return id;
}

/** `failure`: why a picture, a key or a secret could not be copied. Everything else was copied. */
type Copied = { archived: Archived; failure: Error | undefined };

/** Copies the log, new pictures, people's keys and the secrets. The caller holds the lock. */
async function archive(client: Queries, place: Place, folder: BackupFolder): Promise<Copied> {
  const bankId = await refuseForeign(client, folder);
  let failure: Error | undefined;
  const archived = await archiveWal(client, clusterDirOf(place), folder, () =>
    copyFiles(place.dataDir, folder, bankId).catch((error: Error) => {
      failure = error;
    }),
  );
  return { archived, failure };
}

/** Calls `archive` under the lock; undefined if another process holds the lock. */
async function archiveUnlessLocked(
  pool: pg.Pool,
  place: Place,
  folder: BackupFolder,
): Promise<Copied | undefined> {
  const client = await pool.connect();
  let isOurs = false;
  try {
    const { rows } = await client.query('SELECT pg_try_advisory_lock($1) AS locked', [archiveLock]);
    isOurs = rows[0].locked;
    return isOurs ? await archive(client, place, folder) : undefined;
  } finally {
    // Closing the connection releases the lock.
    client.release(isOurs);
  }
}

/**
 * Makes a base backup of a running bank, from which the bank can be restored to any time after the backup's end. Then deletes
 * old backups. Returns the new backup's name, how far the log reaches and how many base backups were deleted. If something
 * fails after the backup is complete, the error's message says that it is complete.
 */
export async function backUp(
  embedded: Pick<EmbeddedPostgres, 'connection'>,
  place: Place,
): Promise<Archived & { name: string; deleted: number }> {
  const folder = backupFolder(place.backupDir);
  const startedAt = new Date();
  const name = startedAt.toISOString().replace(/[:.]/g, '-');
  const draft = join(folder.base, name + draftSuffix);
  const client = await connect(embedded);
  let [hasDraft, isComplete] = [false, false];
  try {
    const lock = await client.query<{ isOurs: boolean }>(
      `SELECT pg_try_advisory_lock(hashtext('larkspur backup')) AS "isOurs"`,
    );
    if (!lock.rows[0]!.isOurs) throw new Error('Another backup of this bank is running. Wait until it ends.');
    const bank = await client.query<{ table: string | null }>("SELECT to_regclass('bank_state') AS table");
    if (bank.rows[0]!.table === null)
      throw new Error('DATA_DIR has no bank. If its disk was lost, restore the bank (npm run restore).');
    const bankId = await refuseForeign(client, folder);
    await deleteAbandoned(folder).catch(() => {});
    await mkdir(draft, { recursive: true, mode: 0o700 });
    hasDraft = true;
    // Makes PostgreSQL keep the log until this connection ends, even if no server copies it.
    await client.query(
      "SELECT pg_create_physical_replication_slot('larkspur_base_' || pg_backend_pid(), true, true)",
    );
    const started = await client.query<{ lsn: string }>("SELECT pg_backup_start('larkspur', true) AS lsn");
    const startSegment = await findSegment(client, started.rows[0]!.lsn);
    await copyFolder(clusterDirOf(place), join(draft, 'database'), path => !excludedFiles.test(path));
    const stopped = await client.query<{ label: string }>(
      'SELECT labelfile AS label FROM pg_backup_stop(false)',
    );
    await writeDurably(join(draft, 'database', 'backup_label'), Buffer.from(stopped.rows[0]!.label));
    await copyFolder(join(place.dataDir, 'secrets'), join(draft, 'secrets'));
    const heads = join(place.dataDir, auditHeads);
    if (await exists(heads)) await copyDurably(heads, join(draft, auditHeads));
    const pictures = await listPictures(join(place.dataDir, 'files'));
    await writeDurably(join(draft, 'pictures.txt'), Buffer.from(pictures.map(path => `${path}\n`).join('')));
    // This connection holds the lock until it ends. The server copies nothing in the meantime, not even while old pictures are
    // deleted: it skips folders by their timestamps, so it would not notice a picture that is deleted while it copies.
    await client.query('SELECT pg_advisory_lock($1)', [archiveLock]);
    const { archived, failure } = await archive(client, place, folder);
    const backup = {
      startedAt: startedAt.toISOString(),
      endedAt: archived.until,
      startSegment,
      lsn: archived.lsn,
      bankId,
    };
    await writeDurably(join(draft, completeFile), Buffer.from(JSON.stringify(backup)));
    await rename(draft, join(folder.base, name));
    isComplete = true;
    await syncFolder(folder.base);
    const report = (what: string, cause: Error) => {
      throw new Error(`Backup ${name} is complete, but ${what}: ${cause.message}`, { cause });
    };
    const deleted = await deleteOld(place, folder).catch(error =>
      report('old backups were not deleted', error),
    );
    if (failure) report('not all files were copied', failure);
    return { ...archived, name, deleted };
  } catch (error) {
    if (isComplete || (await isConnected(client))) throw error;
    throw new Error(
      `The database stopped before the backup was complete, as it does when its server stops. Run the backup again; no server needs to run. (${(error as Error).message})`,
      { cause: error },
    );
  } finally {
    await client.end().catch(() => {});
    // Without this, backups that fail every day would fill the disk, and then the log could not be copied either. Comes after
    // `client.end`, because the disk may hang, and the database keeps its log until the connection ends.
    if (hasDraft) await rm(draft, { recursive: true, force: true }).catch(() => {});
  }
}

/** Deletes drafts of killed backups after a day. A newer draft may belong to a backup that another machine is making. */
async function deleteAbandoned(folder: BackupFolder): Promise<void> {
  for (const name of (await readdir(folder.base).catch(ignore('ENOENT'))) ?? []) {
    const path = join(folder.base, name);
    if (name.endsWith(draftSuffix) && (await stat(path)).mtimeMs < Date.now() - draftMs)
      await rm(path, { recursive: true, force: true });
  }
}

/**
 * Deletes base backups older than 30 days, and the log and pictures that only these needed. Keeps the newest. Returns the
 * number of deleted base backups.
 */
async function deleteOld(place: Place, folder: BackupFolder): Promise<number> {
  const all = await listBaseBackups(folder);
  const kept = all.filter(
    (backup, i) => i === all.length - 1 || Date.parse(backup.endedAt) > Date.now() - retentionMs,
  );
  for (const { path } of all.filter(one => !kept.includes(one))) {
    await rm(join(path, completeFile), { force: true });
    await rm(path, { recursive: true, force: true });
  }
  const oldest = kept[0]!;
  // After a restore, the log continues from an earlier position. So the newest backup may need the oldest part of the log.
  const firstNeeded = kept.map(backup => segmentPosition(backup.startSegment)).sort()[0]!;
  for (const name of await readdir(folder.wal))
    if (/^[0-9A-F]{24}\./.test(name) && segmentPosition(name) < firstNeeded)
      await rm(join(folder.wal, name), { force: true });
  await deleteTimes(folder, oldest.startedAt);
  const needed = new Set(await listPictures(join(place.dataDir, 'files')));
  for (const { path } of kept)
    for (const picture of (await readFile(join(path, 'pictures.txt'), 'utf8')).split('\n'))
      needed.add(picture);
  for (const picture of await listPictures(folder.files)) {
    const path = join(folder.files, picture);
    // A picture that was added and removed after the oldest backup is kept: a restore to a time in between needs it.
    if (!needed.has(picture) && (await stat(path)).mtimeMs < Date.parse(oldest.startedAt))
      await rm(path, { force: true });
  }
  return all.length - kept.length;
}

/**
 * Calls `archive` every ten seconds while the server runs, except while the bank is held or another process is copying.
 * If no backup folder is set, makes PostgreSQL stop keeping the log for backups. Throws `ForeignBackups` if the folder has
 * backups of another bank. If the folder cannot be read at the start, calls `onForeign` when it finds such backups later.
 * `stop` copies once more: call it when nothing changes the bank anymore, and while the database runs.
 */
export async function startArchiving(
  embedded: Pick<EmbeddedPostgres, 'connection'>,
  { dataDir, backupDir }: Pick<Config, 'dataDir' | 'backupDir'>,
  log: Log,
  onForeign: (error: Error) => void = () => {},
): Promise<{ stop(): Promise<void> }> {
  const pool = new pg.Pool({ ...embedded.connection, application_name: 'larkspur backup', max: 1 });
  pool.on('error', () => {});
  // A connection may be lost while it is in use. Without this listener, the error would end the process.
  pool.on('connect', client => client.on('error', () => {}));
  if (backupDir === undefined) {
    await stopKeepingWal(pool);
    await pool.end();
    return { stop: async () => {} };
  }
  const place = { dataDir, backupDir };
  const folder = backupFolder(backupDir);
  // A folder that cannot be read, or a network disk that hangs, is reported below and does not keep the bank from starting.
  const check = refuseForeign(pool, folder).catch((error: unknown) => error);
  const refusal = await withDeadline(check, checkMs, () => undefined);
  if (refusal instanceof ForeignBackups) {
    await pool.end();
    throw refusal;
  }
  const isChecked = typeof refusal === 'string';
  const warn = (reason: string) => log.warn({ reason }, 'the write-ahead log could not be copied; retrying');
  let reported: { gap: string | undefined } | undefined;
  /** Since when another process has had the lock in every round, on the clock of `performance`. */
  let lockedSince: number | undefined;
  const copy = async (): Promise<void> => {
    // Keeps the log of a held bank too. Copying begins when the bank is released.
    await keepWal(pool);
    const { rows } = await pool.query<{ held: boolean }>(
      'SELECT held_since IS NOT NULL AS held FROM bank_state',
    );
    if (rows[0]!.held) return;
    reported ??= { gap: (await readArchived(folder))?.gap?.after };
    const copied = await archiveUnlessLocked(pool, place, folder);
    if (!copied) {
      lockedSince ??= performance.now();
      if (performance.now() - lockedSince > lateMs)
        warn('another process has been copying for more than a minute');
      return;
    }
    lockedSince = undefined;
    const gap = copied.archived.gap?.after;
    if (gap !== undefined && gap !== reported.gap)
      log.error({ after: gap }, 'the copied write-ahead log has a gap: run npm run backup');
    reported = { gap };
    // Not thrown: the loop would wait longer after an error, but the log must still be copied as often.
    if (copied.failure)
      log.warn({ reason: copied.failure.message }, 'some files could not be copied to BACKUP_DIR; retrying');
  };
  const loop = startRetryLoop(
    async () => {
      const late = setInterval(warn, lateMs, 'the copy takes more than a minute').unref();
      await copy().finally(() => clearInterval(late));
      return false;
    },
    {
      idleMs: archiveIdleMs,
      onError: error => {
        warn(error.message);
        if (error instanceof ForeignBackups && !isChecked) onForeign(error);
      },
    },
  );
  return {
    async stop() {
      await loop.stop();
      await copy().catch((error: Error) => warn(error.message));
      await pool.end();
    },
  };
}
