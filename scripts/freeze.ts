/**
 * `npm run freeze -- 1.0.0`: freezes the migrations of a version and stores the data of its demo bank, which later versions
 * must be able to migrate. Run it last before the tag, and commit what it writes.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { openBank } from '#server/bank.ts';
import { readCommandLine, refuseCommandLine } from '#server/commands/commandLine.ts';
import { readConfig } from '#server/config.ts';
import { listMigrations } from '#server/db/migrations.ts';
import { seed } from '#server/demo/seed.ts';
import { startEmbedded } from '#server/embedded/embedded.ts';
import { openLog } from '#server/log.ts';
import { testAppSecret } from '../tests/cluster.ts';
import { readBankData } from '../tests/releaseData.ts';

const usage = `Usage: npm run freeze -- <version>

Records the checksums of all migrations in db/migrations/released.json, and the data of the demo bank in tests/releases, without its jobs.
`;
const root = fileURLToPath(new URL('..', import.meta.url));
const [version = '', ...more] = readCommandLine(usage, { allowPositionals: true }).positionals;
if (!/^\d+\.\d+\.\d+$/.test(version) || more.length > 0) refuseCommandLine(usage);

const list = join(root, 'db', 'migrations', 'released.json');
const released = JSON.parse(readFileSync(list, 'utf8')) as Record<string, object>;
if (released[version]) refuseCommandLine(usage, `${version} is released already.`);

const dataDir = mkdtempSync(join(tmpdir(), 'larkspur-release-'));
const embedded = await startEmbedded({ dataDir });
const config = readConfig({ DATA_DIR: dataDir, DEMO: '1', APP_SECRET: testAppSecret, JOBS: 'off' });
const bank = await openBank(config, embedded.connection, 'http://localhost:3000', openLog(), {
  servesPages: false,
});
await seed(bank.parts);
const owner = await bank.parts.database.ownerPool.connect();
const data = await readBankData(owner);
owner.release();
await bank.stop();
await embedded.stop();
rmSync(dataDir, { recursive: true });

await mkdir(join(root, 'tests', 'releases'), { recursive: true });
writeFileSync(join(root, 'tests', 'releases', `${version}.json.gz`), gzipSync(data));
released[version] = Object.fromEntries(listMigrations().map(({ name, checksum }) => [name, checksum]));
writeFileSync(list, `${JSON.stringify(released, null, 2)}\n`);
process.stdout.write(`${version}: ${listMigrations().length} migrations and ${data.length} bytes of data.\n`);
process.exit(0);
