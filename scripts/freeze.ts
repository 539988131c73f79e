/**
 * `npm run freeze -- 1.0.0`: freezes the migrations of a version, stores the data of its demo bank, which later versions must
 * be able to migrate, and writes the version wherever the repository names it. Run it last before the tag, and commit what it
 * writes.
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

Records the checksums of all migrations in db/migrations/released.json, and the data of the demo bank, except its jobs, in
tests/releases. Writes the version into package.json, package-lock.json, the Helm chart and the heading of the newest section of
CHANGELOG.md, which must end with "Unreleased".
`;
const root = fileURLToPath(new URL('..', import.meta.url));
const [version = '', ...more] = readCommandLine(usage, { allowPositionals: true }).positionals;
if (!/^\d+\.\d+\.\d+$/.test(version) || more.length > 0) refuseCommandLine(usage);

const list = join(root, 'db', 'migrations', 'released.json');
const released = JSON.parse(readFileSync(list, 'utf8')) as Record<string, object>;
if (released[version]) refuseCommandLine(usage, `${version} is released already.`);

const today = new Date().toISOString().slice(0, 10);
/** Where the version is written: the file, what is there, and what replaces it. */
const named: [file: string, found: RegExp, replacement: string][] = [
  ['CHANGELOG.md', /^## .* - Unreleased$/m, `## ${version} - ${today}`],
  ['package.json', /"version": ".*"/, `"version": "${version}"`],
  ['package-lock.json', /("name": "larkspur-bank",\s+"version": )".*"/g, `$1"${version}"`],
  ['deploy/helm/larkspur/Chart.yaml', /^(version|appVersion): .*$/gm, `$1: ${version}`],
  ['deploy/helm/larkspur/values.yaml', /(larkspur-bank:)\S+/, `$1${version}`],
];
const edited = named.map(([file, found, replacement]) => {
  const text = readFileSync(join(root, file), 'utf8');
  if (text.search(found) < 0) refuseCommandLine(usage, `${file} has nothing that matches ${String(found)}.`);
  return { file, text: text.replace(found, replacement) };
});

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
for (const { file, text } of edited) writeFileSync(join(root, file), text);
process.stdout.write(`${version}: ${listMigrations().length} migrations and ${data.length} bytes of data.\n`);
process.exit(0);
