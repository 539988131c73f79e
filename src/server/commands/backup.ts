/** `npm run backup`: makes a base backup of the embedded bank in BACKUP_DIR, whether or not a server is running. */
import { backUp } from '../backup/backUp.ts';
import { readConfig, SettingsError } from '../config.ts';
import { openEmbedded } from '../embedded/embedded.ts';
import { readCommandLine } from './commandLine.ts';
import { runCommand } from './open.ts';

readCommandLine(`Usage: BACKUP_DIR=<folder> npm run backup

Copies database, secrets and pictures of DATA_DIR to BACKUP_DIR, while the server runs or not, and deletes backups that
are older than 30 days. While the server runs with the same BACKUP_DIR, it also copies each change within seconds, so
that npm run restore can go back to any time. The folder holds everything that is secret: protect it like DATA_DIR.
With FILES_URL, pictures and people's keys are in that store and not in the backup.
`);

await runCommand(async () => {
  const config = readConfig(process.env);
  if (config.backupDir === undefined)
    throw new SettingsError('BACKUP_DIR is missing: the folder for backups.');
  const embedded = await openEmbedded({ dataDir: config.dataDir });
  try {
    const { name, until, deleted } = await backUp(embedded, {
      dataDir: config.dataDir,
      backupDir: config.backupDir,
    });
    process.stdout.write(`Backup ${name} is complete. It reaches until ${until}.\n`);
    if (config.filesUrl !== undefined)
      process.stdout.write(
        "It does not cover pictures, people's keys and copies of data: they are in the store of FILES_URL. Back that up with its own tools.\n",
      );
    if (deleted > 0) process.stdout.write(`Deleted ${deleted} older than 30 days.\n`);
    return 0;
  } finally {
    await embedded.stop();
  }
});
