/**
 * `npm run release`: packs the server and the built web app into an archive, and writes a list of its components (CycloneDX)
 * and checksums. The same commit gives the same bytes.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { readCommandLine } from '#server/commands/commandLine.ts';
import { readReleaseFiles } from './release/files.ts';
import { tar } from './release/tar.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const product = 'larkspur-bank';

/** Packs a release. `build`: the folder of one build of the web app. `seconds`: the time of every file (Unix time). */
export async function packRelease(
  build: string,
  seconds: number,
): Promise<{ name: string; archive: Buffer }> {
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const name = `${product}-${version}`;
  const entries = await readReleaseFiles(root, build);
  const inFolder = entries.map(entry => ({ ...entry, name: `${name}/${entry.name}` }));
  const archive = gzipSync(tar(inFolder, seconds), { level: 9 });
  // This byte names the operating system on which gzip ran; 255 means unknown.
  archive[9] = 255;
  return { name, archive };
}

/** The production packages, as npm reads them from the lock file. Time and id do not depend on the run. */
function listComponents(seconds: number): string {
  const text = execFileSync(
    'npm',
    ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--omit', 'dev'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'inherit'],
      shell: process.platform === 'win32',
    },
  );
  const components = JSON.parse(text) as {
    serialNumber: string;
    metadata: { timestamp: string; tools?: unknown; component: { name: string; type: string } };
  };
  // npm names the product after its folder.
  Object.assign(components.metadata.component, { name: product, type: 'application' });
  // The list must not depend on the version of npm.
  delete components.metadata.tools;
  components.metadata.timestamp = new Date(seconds * 1000).toISOString();
  components.serialNumber = '';
  const hash = sha256(JSON.stringify(components));
  const uuid = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
  components.serialNumber = `urn:uuid:${uuid}`;
  return `${JSON.stringify(components, null, 2)}\n`;
}

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/** The time of the release: `SOURCE_DATE_EPOCH`, or that of the commit. */
function releaseTime(): number {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given !== undefined && /^\d{1,10}$/.test(given)) return Number(given);
  return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }));
}

async function release(into: string): Promise<void> {
  execFileSync(process.execPath, [path.join(root, 'scripts/build.ts'), '--if-changed'], { stdio: 'inherit' });
  const build = path.dirname(await realpath(path.join(root, 'dist/web')));
  const seconds = releaseTime();
  const { name, archive } = await packRelease(build, seconds);
  const files = [
    { file: `${name}.tar.gz`, content: archive },
    { file: `${name}.cdx.json`, content: Buffer.from(listComponents(seconds)) },
  ];
  const sums = files.map(({ file, content }) => `${sha256(content)}  ${file}\n`).join('');
  await rm(into, { recursive: true, force: true });
  await mkdir(into, { recursive: true });
  for (const { file, content } of [...files, { file: 'SHA256SUMS', content: sums }])
    await writeFile(path.join(into, file), content);
  process.stdout.write(`${sums}in ${into}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  readCommandLine(`Usage: npm run release

Builds the web app if its sources changed, and writes the release to dist/release: the archive, its components (CycloneDX) and
SHA256SUMS. The files have the time of the commit, or SOURCE_DATE_EPOCH.
`);
  await release(path.join(root, 'dist/release'));
}
