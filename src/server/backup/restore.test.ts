/** Restores of a bank whose settings or clock changed. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { openEmbeddedBanks } from '../../../tests/embeddedBanks.ts';
import { eventually } from '../../../tests/waiting.ts';
import { picturePath } from '../outside/files.ts';
import { restore } from './restore.ts';

const { folder, backups, archived, run, marksAt, close } = openEmbeddedBanks();
afterAll(close);

/** What PostgreSQL needs for the connections of three workers. */
const threeWorkers = { max_connections: '140' };

test('a bank with many workers is restored, also from a backup that was made when it had fewer [RC-46]', async () => {
  const few = await run('bank');
  await few.backUp();
  await few.mark('few');
  await few.stop();
  const many = await run('bank', backups, threeWorkers);
  await many.mark('many');
  await many.copy();
  expect(await marksAt(undefined, 'from few')).toEqual(['few', 'many']);
  await many.backUp();
  await many.stop();
  expect(await marksAt(undefined, 'from many')).toEqual(['few', 'many']);
});

test('a restore refuses a time before which the clock was set back, because PostgreSQL stops too early there, and says what to choose instead [RC-50]', async () => {
  const place = join(folder, 'clock');
  const bank = await run('clock', place);
  await bank.backUp();
  await bank.mark('first');
  await bank.copy();
  const wal = join(place, 'wal');
  // The files of times: more than one if this test runs at midnight.
  const files = () =>
    readdirSync(wal)
      .filter(name => name.startsWith('times-'))
      .sort()
      .map(name => join(wal, name));
  const times = () =>
    files()
      .map(path => readFileSync(path, 'utf8'))
      .join('');
  const noted = times().trim().split('\n').at(-1)!.split(' ')[0]!;
  await bank.mark('second');
  await bank.copy();
  await bank.stop();
  // Each of the two copies has at least two rounds, and the backup has one.
  expect(times()).toMatch(/^(20\S+Z 0{7}1 \d\/[0-9A-F]+\n){5,}$/);
  // Adds lines as if the clock had been ahead since `noted` and had been set right, and a killed process had left half a line.
  const back = new Date(Date.parse(noted) + 1).toISOString();
  const { lsn } = archived(place);
  appendFileSync(files().at(-1)!, `${back} 000${back} 00000001 ${lsn}\n${back} 00000001 ${lsn}\n`);
  const failed = await marksAt(back, 'early', place).then(String, (error: Error) => error.message);
  const [, earlier] =
    /^The log cannot be replayed to 20\S+Z: the clock was set back to 20\S+Z or earlier, .* Choose (20\S+Z) or an earlier time, or a time after 20\S+Z, or newest\.\nNothing was restored\.$/.exec(
      failed,
    ) ?? [];
  expect(earlier, failed).toBe(noted);
  expect(await marksAt(noted, 'earlier', place)).toEqual(['first']);
  expect(await marksAt(undefined, 'newest', place)).toEqual(['first', 'second']);
  writeFileSync(join(wal, 'archived.json'), '{');
  await expect(marksAt(undefined, 'damaged', place)).rejects.toThrow(
    `${join(wal, 'archived.json')} could not be read: `,
  );
});

test('when the copying of the log is stopped, it still copies the last commit; a missing backup folder is not created [RC-46]', async () => {
  const place = join(folder, 'mounted', 'backups');
  const bank = await run('stopped', place);
  await bank.backUp();
  const before = archived(place).until;
  const copying = await bank.archive();
  await eventually(() => archived(place).until > before || undefined);
  await bank.mark('last');
  await copying.stop();
  expect(copying.warnings).toEqual([]);
  renameSync(join(folder, 'mounted'), join(folder, 'away'));
  const missing = `BACKUP_DIR does not exist. Mount its disk, or make the folder for a first backup: mkdir -p '${place}'`;
  await expect(bank.backUp()).rejects.toThrow(missing);
  const waiting = await bank.archive();
  await eventually(() => waiting.warnings.some(text => text.includes(missing)) || undefined);
  expect(existsSync(join(folder, 'mounted'))).toBe(false);
  renameSync(join(folder, 'away'), join(folder, 'mounted'));
  await waiting.stop();
  await bank.stop();
  expect(await marksAt(undefined, 'restored', place)).toEqual(['last']);
});

test('a picture that can be read at the second attempt is restored, and a disk that fails in the middle restores nothing [RC-46]', async () => {
  const place = join(folder, 'pictures');
  const bank = await run('pictured', place);
  const name = `avatar-${'0'.repeat(32)}.webp`;
  await bank.addCustomer(name);
  const path = picturePath(name)!;
  const original = join(folder, 'pictured', 'files', path);
  mkdirSync(dirname(original), { recursive: true });
  writeFileSync(original, 'a picture');
  await bank.backUp();
  await bank.stop();
  let hasFailed = false;
  const { copyFile } = files;
  vi.spyOn(files, 'copyFile').mockImplementation(async (source, target) => {
    if (!String(source).endsWith(name) || hasFailed) return await copyFile(source, target);
    hasFailed = true;
    throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  const restored = () => restore({ dataDir: join(folder, 'again'), backupDir: place }, undefined);
  expect(await restored()).toMatchObject({ missing: [] });
  expect(hasFailed).toBe(true);
  expect(readFileSync(join(folder, 'again', 'files', path), 'utf8')).toBe('a picture');
  // Makes the folder look as when its disk is gone: nothing in it is found, and it cannot be read.
  rmSync(join(place, 'files'), { recursive: true });
  writeFileSync(join(place, 'files'), '');
  await expect(restored()).rejects.toThrow('Nothing was restored.');
});

test('a backup whose database stops says why it failed and what to do, and leaves no draft [RC-46]', async () => {
  const place = join(folder, 'ended');
  const bank = await run('ending', place);
  const { copyFile } = files;
  let stopping: Promise<void> | undefined;
  vi.spyOn(files, 'copyFile').mockImplementation(async (source, target) => {
    stopping ??= bank.stop();
    await stopping;
    await copyFile(source, target);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  await expect(bank.backUp()).rejects.toThrow(
    /^The database stopped before the backup was complete, as it does when its server stops\. Run the backup again; no server needs to run\. \(.*\)$/,
  );
  expect(stopping).toBeDefined();
  expect(readdirSync(join(place, 'base'))).toEqual([]);
});
