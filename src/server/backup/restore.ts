/** Restores the embedded bank from its backups to a point in time. The restored bank is held until it is released. */
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import pg from 'pg';
import { copyDurably, copyFolder } from '../base/durableFiles.ts';
import { claimDataDir, type EmbeddedPostgres, openEmbedded } from '../embedded/embedded.ts';
import { auditHeads, type BackupFolder, backupFolder, listBaseBackups, readArchived } from './folder.ts';
import { segmentBytes } from './walArchive.ts';

const decompress = promisify(gunzip);

type Place = { dataDir: string; backupDir: string };

/** `waiting`: rows of mail that waited at that time. `missing`: pictures that the backup lacks. `aside`: where the former files are. */
export type Restored = { until: string; waiting: number; missing: string[]; aside: string | undefined };

/**
 * Restores database, secrets and pictures to the state at `until`, by default the newest. What is in the data directory is moved
 * aside. Throws if the backup does not reach that far, or if a server is using the data directory.
 */
export async function restore(place: Place, until: Date | undefined): Promise<Restored> {
  const folder = backupFolder(place.backupDir);
  const { base, target } = await choose(folder, until);
  const release = claimDataDir(place.dataDir);
  let aside: string | undefined;
  try {
    const draft = join(place.dataDir, 'postgres.restoring');
    await rm(draft, { recursive: true, force: true });
    await copyFolder(join(base.path, 'database'), draft);
    await unpackWal(folder.wal, join(draft, 'pg_wal'), base.startSegment);
    await writeFile(join(draft, 'recovery.signal'), '', { mode: 0o600 });
    aside = await moveAside(place.dataDir);
    await copyFolder(join(base.path, 'secrets'), join(place.dataDir, 'secrets'));
    // Heads that were stored after the backup may be of records that are newer than the restored time.
    const heads = join(base.path, auditHeads);
    if (existsSync(heads)) await copyDurably(heads, join(place.dataDir, auditHeads));
    await rename(draft, join(place.dataDir, 'postgres'));
  } finally {
    release();
  }
  const settings = {
    // The log is already in its place, so there is nothing to fetch.
    restore_command: 'false',
    ...(until && {
      // PostgreSQL does not know `Z` yet when it reads this setting.
      recovery_target_time: until.toISOString().replace('Z', '+00'),
      recovery_target_action: 'promote',
    }),
  };
  const embedded = await openEmbedded({ dataDir: place.dataDir, settings });
  try {
    const client = await recover(embedded);
    const held = await client.query<{ waiting: number }>('SELECT hold_bank() AS waiting');
    const missing = await restorePictures(client, folder, join(place.dataDir, 'files'));
    await client.end();
    return { until: target, waiting: held.rows[0]!.waiting, missing, aside };
  } finally {
    await embedded.stop();
  }
}

async function choose(folder: BackupFolder, until: Date | undefined) {
  const bases = await listBaseBackups(folder);
  const archived = await readArchived(folder);
  if (bases.length === 0 || !archived) throw new Error('There is no complete backup in BACKUP_DIR.');
  const target = until?.toISOString() ?? archived.until;
  if (target > archived.until)
    throw new Error(`The backup reaches until ${archived.until}. Choose that time or an earlier one.`);
  const base = bases.findLast(({ endedAt }) => endedAt <= target);
  if (!base) throw new Error(`The oldest backup ends at ${bases[0]!.endedAt}. Choose a later time.`);
  return { base, target };
}

/** Decompresses the log from `start` on. Copies of incomplete segments are filled with zeros, where PostgreSQL stops reading. */
async function unpackWal(from: string, to: string, start: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const file of (await readdir(from)).sort()) {
    const [, name, kind] = /^([0-9A-F]{24}|[0-9A-F]{8}\.history)(\.partial)?\.gz$/.exec(file) ?? [];
    if (name === undefined || (name.length === 24 && name.slice(8) < start.slice(8))) continue;
    if (kind !== undefined && existsSync(join(from, `${name}.gz`))) continue;
    const path = join(to, name);
    await writeFile(path, await decompress(await readFile(join(from, file))), { mode: 0o600 });
    if (kind !== undefined) await truncate(path, Number(segmentBytes));
  }
}

/** Moves what the data directory holds of a bank into a folder of its own; returns the folder, or undefined if there is nothing. */
async function moveAside(dataDir: string): Promise<string | undefined> {
  const aside = join(dataDir, `before-restore-${new Date().toISOString().replace(/[:.]/g, '-')}`);
  let moved: string | undefined;
  for (const name of ['postgres', 'files', 'secrets', auditHeads]) {
    const path = join(dataDir, name);
    if (!existsSync(path) || (name === 'secrets' && (await readdir(path)).length === 0)) continue;
    await mkdir(aside, { recursive: true, mode: 0o700 });
    await rename(path, join(aside, name));
    moved = aside;
  }
  return moved;
}

/** Waits until PostgreSQL has replayed the log and accepts writes. Throws with its own words if it cannot. */
async function recover(embedded: EmbeddedPostgres): Promise<pg.Client> {
  let failure: string | undefined;
  embedded.onExit(({ detail }) => {
    failure ??= detail;
  });
  for (;;) {
    if (failure !== undefined) throw new Error(`The log could not be replayed: ${failure}`);
    const client = new pg.Client(embedded.connection);
    client.on('error', () => {});
    const isDone = await client
      .connect()
      .then(() => client.query<{ done: boolean }>('SELECT NOT pg_is_in_recovery() AS done'))
      .then(({ rows }) => rows[0]!.done)
      .catch(() => false);
    if (isDone) return client;
    await client.end().catch(() => {});
    await sleep(100);
  }
}

/** Copies the pictures that customers have. Younger ones stay in the backup. Returns the names of those that it lacks. */
async function restorePictures(client: pg.Client, folder: BackupFolder, to: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT unnest(array_remove(ARRAY[avatar_file, id_card_file], NULL)) AS name FROM customers`,
  );
  const missing: string[] = [];
  for (const { name } of rows) {
    const path = join(/-([0-9a-f]{2})/.exec(name)?.[1] ?? '', name);
    const [source, target] = [join(folder.files, path), join(to, path)];
    if (!existsSync(source)) {
      missing.push(name);
      continue;
    }
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await copyDurably(source, target);
  }
  return missing;
}
