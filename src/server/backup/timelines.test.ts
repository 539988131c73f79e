/** Backups of a bank that was restored: its log is a new timeline, and the copied log holds the old one too. */
import { execFileSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { openEmbeddedBanks } from '../../../tests/embeddedBanks.ts';
import { eventually } from '../../../tests/waiting.ts';
import { startEmbedded } from '../embedded/embedded.ts';
import { backUp } from './backUp.ts';
import type { Archived } from './folder.ts';
import { restore } from './restore.ts';

const { folder, backups: backupDir, archived, run, marksAt, close } = openEmbeddedBanks();
afterAll(close);

test('after a restore, the bank’s log is still copied, times before and after that restore can be restored without a new backup, and the old bank can no longer copy its log there [RC-74]', async () => {
  const old = await run('old');
  await old.backUp();
  await old.mark('first');
  const first = await old.copy();
  await old.mark('mistake');
  // This backup is newer than `first`, the time restored below, so it cannot be the base of the restored bank's log.
  await old.backUp();
  await old.mark('late');
  const late = await old.copy();
  await old.stop();

  await restore({ dataDir: join(folder, 'restored'), backupDir }, new Date(first));
  const restored = await run('restored');
  const between = new Date(Date.parse(late) + 1).toISOString();
  await restored.release();
  await restored.mark('second');
  await restored.copy();
  expect(archived().gap).toBeUndefined();

  expect(await marksAt(undefined, 'newest')).toEqual(['first', 'second']);
  expect(await marksAt(late, 'late')).toEqual(['first', 'late', 'mistake']);
  await expect(marksAt(between, 'between')).rejects.toThrow(
    /^The copied log ends at \S+ and continues at \S+, after a restore\. Choose a time that it covers\.$/,
  );

  // The old bank is started once more, with the backup folder that the restored bank uses.
  const before = archived();
  const again = await run('old');
  const copying = await again.archive();
  await eventually(() => (copying.warnings.length > 0 ? true : undefined));
  expect(copying.warnings[0]).toContain('a bank that was restored from this BACKUP_DIR');
  await copying.stop();
  expect(archived()).toEqual(before);
  await again.stop();
  await restored.stop();
});

test('the server can start and stop copying the log during a backup, without errors or warnings [RC-74]', async () => {
  const bank = await run('busy', join(folder, 'busy backups'));
  let isDone = false;
  const backup = bank.backUp().finally(() => {
    isDone = true;
  });
  const warnings: string[] = [];
  while (!isDone) {
    const copying = await bank.archive();
    await copying.stop();
    warnings.push(...copying.warnings);
  }
  await backup;
  expect(warnings).toEqual([]);
  await bank.stop();
});

test('the server warns if another process, such as a backup that hangs, keeps it from copying the log for a minute; when that process is done, it copies again [RC-74]', async () => {
  const place = join(folder, 'locked backups');
  const bank = await run('locked', place);
  const { name } = await bank.backUp();
  const pipe = join(place, 'base', name, 'pictures.txt');
  rmSync(pipe);
  execFileSync('mkfifo', [pipe]);
  // This backup hangs at the pipe, which it reads to find the pictures that no backup needs.
  const backup = bank.backUp();
  const bases = () => readdirSync(join(place, 'base')).filter(each => !each.endsWith('.draft'));
  await eventually(() => bases().length === 2 || undefined);
  const untilOf = () =>
    (JSON.parse(readFileSync(join(place, 'wal', 'archived.json'), 'utf8')) as Archived).until;
  const before = untilOf();
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const copying = await bank.archive();
  await eventually(() => {
    vi.advanceTimersByTime(1_000);
    return copying.warnings.length > 0 || undefined;
  });
  expect(copying.warnings[0]).toContain('the write-ahead log could not be copied');
  expect(copying.warnings[0]).toContain('another process has been copying for more than a minute');
  expect(untilOf()).toBe(before);
  const writer = openSync(pipe, 'r+');
  rmSync(pipe);
  closeSync(writer);
  await backup;
  await eventually(() => untilOf() > before || undefined);
  await copying.stop();
  await bank.stop();
});

test('a backup that is deleted for its age while it is being copied is not restored [RC-50]', async () => {
  const place = { dataDir: join(folder, 'incomplete'), backupDir: join(folder, 'busy backups') };
  const bases = join(place.backupDir, 'base');
  const restoring = restore(place, undefined);
  await eventually(() => (existsSync(join(place.dataDir, 'restoring', 'postgres')) ? true : undefined));
  // Does what the deletion of a backup does first.
  for (const name of readdirSync(bases)) rmSync(join(bases, name, 'backup.json'));
  await expect(restoring).rejects.toThrow(/^The backup was deleted for its age while it was copied\./);
});

test('the message of a failed restore names its log file, which exists [RC-50]', async () => {
  for (const name of readdirSync(join(backupDir, 'base')))
    truncateSync(join(backupDir, 'base', name, 'database', 'global', 'pg_control'), 100);
  const failed = await restore({ dataDir: join(folder, 'failed'), backupDir }, undefined).then(
    () => '',
    (error: Error) => error.message,
  );
  const log = /\(its log: (.+)\)/.exec(failed)?.[1];
  expect(log, failed).toBeDefined();
  expect(readFileSync(log!, 'utf8')).toContain('pg_control');
});

/** Reading the start of a process's memory fails with EIO, like a broken disk. */
const broken = '/proc/self/mem';
const canBreak = process.platform === 'linux';

test('a backup skips stray files and folders, and a picture that is removed while it runs [RC-46]', async () => {
  const own = join(folder, 'own-backups');
  const bank = await run('stray', own);
  const keys = join(folder, 'stray', 'keys');
  mkdirSync(join(keys, '4f'), { recursive: true });
  writeFileSync(join(keys, '4f', 'one'), 'key');
  writeFileSync(join(keys, '.DS_Store'), '');
  mkdirSync(join(keys, '4f', '@eaDir'));
  mkdirSync(join(own, 'base'), { recursive: true });
  writeFileSync(join(own, 'base', '.DS_Store'), '');
  mkdirSync(join(folder, 'stray', 'files', '4f'), { recursive: true });
  // This picture is listed, but is no longer there when it is copied.
  symlinkSync('removed', join(folder, 'stray', 'files', '4f', 'avatar.webp'));
  await bank.backUp();
  expect(readdirSync(join(own, 'keys'))).toEqual(['4f']);
  expect(readdirSync(join(own, 'keys', '4f'))).toEqual(['one']);
  expect(readdirSync(join(own, 'files', '4f'))).toEqual([]);
  await bank.stop();
});

test('if the folder of keys is another bank’s, no key is copied and no copy of a customer’s key is deleted; everything else is copied [KY-24]', async () => {
  const own = join(folder, 'marked-backups');
  const keys = join(folder, 'marked', 'keys');
  const bank = await run('marked', own);
  const bankId = await bank.id();
  const setKeys = (names: string[], marker?: string) => {
    rmSync(keys, { recursive: true, force: true });
    mkdirSync(join(keys, '4f'), { recursive: true });
    for (const name of names) writeFileSync(join(keys, '4f', name), 'key');
    mkdirSync(join(keys, 'owner'));
    if (marker !== undefined) writeFileSync(join(keys, 'owner/bank-ids'), `${marker}\n`);
  };
  const copied = () => readdirSync(join(own, 'keys', '4f'));
  setKeys(['one', 'two'], bankId);
  await bank.backUp();
  // A folder that another bank's server has marked, one that names no bank, and one that was never marked.
  for (const marker of [randomUUID(), 'keys', undefined]) {
    setKeys(['foreign'], marker);
    const copying = await bank.archive();
    await eventually(() => copying.warnings[0]);
    await copying.stop();
    expect(copying.warnings[0]).toContain('some files could not be copied to BACKUP_DIR');
    expect(copying.warnings[0]).toContain(`${keys} belongs to another bank`);
    await expect(bank.backUp()).rejects.toThrow('is complete, but not all files were copied');
    expect(copied()).toEqual(['one', 'two']);
  }
  // If this bank's folder lacks the bank's id, as after an upgrade or while its keys are put back, the bank recognizes the
  // folder by its keys, and no copy is deleted.
  for (const [marker, present, left] of [
    ['keys', ['one', 'four'], ['four', 'one', 'two']],
    [undefined, ['two'], ['four', 'one', 'two']],
    [bankId, ['three'], ['three']],
  ] as const) {
    setKeys([...present], marker);
    await bank.backUp();
    expect(copied()).toEqual(left);
  }
  await bank.stop();
});

test.skipIf(!canBreak)(
  'a key that cannot be read stops neither the copy of the log nor a backup: both copy everything else and name its file [RC-46]',
  async () => {
    const own = join(folder, 'key-backups');
    const keys = join(folder, 'key', 'keys');
    const bank = await run('key', own);
    for (const shard of ['4f', '5a']) mkdirSync(join(keys, shard), { recursive: true });
    symlinkSync(broken, join(keys, '4f', 'one'));
    for (const path of ['4f/two', '5a/three']) writeFileSync(join(keys, path), 'key');
    const reason = `${join(keys, '4f', 'one')} could not be read: EIO`;
    const copied = () => ['4f', '5a'].map(shard => readdirSync(join(own, 'keys', shard)));
    const copying = await bank.archive();
    await eventually(() => existsSync(join(own, 'wal', 'archived.json')) || undefined);
    await copying.stop();
    expect(copying.warnings[0]).toContain('some files could not be copied to BACKUP_DIR');
    expect(copying.warnings[0]).toContain(reason);
    expect(copied()).toEqual([['two'], ['three']]);
    await expect(bank.backUp()).rejects.toThrow(
      new RegExp(`^Backup \\S+ is complete, but not all files were copied: ${reason}$`),
    );
    await bank.mark('kept');
    // The key was erased, and another one was made.
    rmSync(join(keys, '4f', 'one'));
    writeFileSync(join(keys, '4f', 'four'), 'key');
    await bank.backUp();
    expect(copied()).toEqual([['four', 'two'], ['three']]);
    await bank.stop();
  },
);

test.skipIf(!canBreak)(
  'an old backup whose backup.json cannot be read stops neither the copy of the log, nor a backup, nor a restore, but no old backup is deleted while it is there [RC-46]',
  async () => {
    const own = join(folder, 'key-backups');
    const [oldest] = readdirSync(join(own, 'base')).sort() as [string];
    const file = join(own, 'base', oldest, 'backup.json');
    rmSync(file);
    symlinkSync(broken, file);
    const unreadable = `${file} could not be read: EIO`;
    const bank = await run('key', own);
    const copying = await bank.archive();
    await bank.mark('later');
    await expect(bank.backUp()).rejects.toThrow(
      new RegExp(`^Backup \\S+ is complete, but old backups were not deleted: ${unreadable}$`),
    );
    expect(readdirSync(join(own, 'base'))).toHaveLength(3);
    await copying.stop();
    expect(copying.warnings).toEqual([]);
    await bank.stop();
    const notUsed: string[] = [];
    await restore({ dataDir: join(folder, 'key restored'), backupDir: own }, undefined, error =>
      notUsed.push(error.message),
    );
    expect(notUsed).toEqual([unreadable]);
    const restored = await run('key restored', own);
    expect(await restored.marks()).toEqual(['kept', 'later']);
    await restored.stop();
  },
);

test('a bank does not touch the backups of another bank, as after a start on an empty disk [RC-46]', async () => {
  const own = join(folder, 'own-backups');
  const read = () => [
    readdirSync(join(own, 'base')),
    readFileSync(join(own, 'secrets', 'postgres-password'), 'utf8'),
    readFileSync(join(own, 'wal', 'archived.json'), 'utf8'),
  ];
  const before = read();
  const bank = await run('empty', own);
  const refusal = /^BACKUP_DIR has backups of another bank\./;
  await expect(bank.archive()).rejects.toThrow(refusal);
  await expect(bank.backUp()).rejects.toThrow(refusal);
  if (canBreak) {
    const file = join(own, 'base', readdirSync(join(own, 'base')).at(-1)!, 'backup.json');
    renameSync(file, `${file}.away`);
    symlinkSync(broken, file);
    await expect(bank.backUp()).rejects.toThrow('EIO');
    renameSync(`${file}.away`, file);
  }
  expect(read()).toEqual(before);
  await bank.stop();
});

test('a backup of a folder without a bank says so', async () => {
  const dataDir = join(folder, 'without');
  const embedded = await startEmbedded({ dataDir });
  onTestFinished(() => embedded.stop());
  await expect(backUp(embedded, { dataDir, backupDir })).rejects.toThrow(/^DATA_DIR has no bank\./);
});

test('a bank starts while BACKUP_DIR does not answer or cannot be read, and logs that it makes no copy; if the folder turns out to belong to another bank, the server is told to stop [RC-46]', async () => {
  const base = join(folder, 'unreadable', 'base');
  mkdirSync(join(base, 'hanging'), { recursive: true });
  const pipe = join(base, 'hanging', 'backup.json');
  execFileSync('mkfifo', [pipe]);
  const bank = await run('empty', join(folder, 'unreadable'));
  let isForeign = false;
  const hanging = await bank.archive(() => {
    isForeign = true;
  });
  // Closing the pipe ends the reads that hang.
  const writer = openSync(pipe, 'r+');
  rmSync(pipe);
  writeFileSync(pipe, JSON.stringify({ bankId: 'another' }));
  closeSync(writer);
  await eventually(() => isForeign || undefined);
  rmSync(base, { recursive: true });
  writeFileSync(base, 'no folder');
  await hanging.stop();
  const copying = await bank.archive();
  await eventually(() => (copying.warnings.length > 0 ? true : undefined));
  expect(copying.warnings[0]).toContain('ENOTDIR');
  await copying.stop();
  await bank.stop();
});

test('a bank whose disk was set back does not mix its log with the newer log in the backups [RC-50]', async () => {
  const own = join(folder, 'set-back-backups');
  const bank = await run('set-back', own);
  await bank.stop();
  cpSync(join(folder, 'set-back'), join(folder, 'earlier'), { recursive: true });
  const later = await run('set-back', own);
  await later.mark(randomBytes(4_000_000).toString('base64'));
  await later.backUp();
  await later.stop();
  const earlier = await run('earlier', own);
  await expect(earlier.backUp()).rejects.toThrow('is older than the copied log');
  // The earlier bank is no longer behind, but still has another log.
  for (let i = 0; i < 3; i++) await earlier.mark(randomBytes(16_000_000).toString('base64'));
  const killed = join(own, 'base', '2026-01-01T00-00-00-000Z.draft');
  mkdirSync(killed);
  utimesSync(killed, 0, 0);
  await expect(earlier.backUp()).rejects.toThrow('is older than the copied log');
  // If the drafts of failed and killed backups stayed, they would fill the disk.
  expect(readdirSync(join(own, 'base'))).toHaveLength(1);
  await earlier.stop();
});
