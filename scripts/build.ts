/**
 * Builds the web app. Every build gets its own folder under `dist/builds/`; `dist/web` links to the pages of the newest one.
 * A server resolves the link when it starts, so it keeps serving one complete build, which is deleted only after `keptBuilds`
 * newer ones. With `--if-changed` this program builds only if a source has changed. With `--check` it builds nothing, and
 * prints a warning if the last build was made from other sources.
 */
import { cp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommandLine } from '#server/commands/commandLine.ts';
import { holdBuildLock } from './build/lock.ts';
import { hashSources } from './build/sources.ts';

/** How many builds are kept: the newest, and those that running servers may still be serving. */
const keptBuilds = 3;

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(root, 'dist');
const builds = path.join(dist, 'builds');

const read = (file: string) => readFile(file, 'utf8').catch(() => '');

async function isCurrent(sources: string): Promise<boolean> {
  return (
    (await read(path.join(dist, 'stamp'))) === sources &&
    (await read(path.join(dist, 'web/index.html'))) !== ''
  );
}

/** Copies the hashed files of the last build into this one, for tabs that were open when the server was replaced. */
async function copyLastAssets(next: string): Promise<void> {
  const assets = path.join(next, 'web/assets');
  const own = await readdir(assets);
  await writeFile(path.join(next, 'assets.json'), JSON.stringify(own));
  const last = await realpath(path.join(dist, 'web')).catch(() => '');
  const files: string[] = JSON.parse((last && (await read(path.join(last, '../assets.json')))) || '[]');
  for (const file of files.filter(name => !own.includes(name))) {
    await cp(path.join(last, 'assets', file), path.join(assets, file)).catch(() => {});
  }
}

async function publish(next: string): Promise<void> {
  const fresh = path.join(dist, `fresh-${process.pid}`);
  // On Windows, most users can create only junctions, which must be absolute. Elsewhere the link is relative, so that the
  // checkout can be moved.
  const target = path.join(next, 'web');
  await symlink(process.platform === 'win32' ? target : path.relative(dist, target), fresh, 'junction');
  try {
    await rename(fresh, path.join(dist, 'web'));
  } catch {
    // Windows cannot rename over a link, and no system can rename a link over a folder.
    await rm(path.join(dist, 'web'), { recursive: true, force: true });
    await rename(fresh, path.join(dist, 'web'));
  }
}

async function removeOldBuilds(): Promise<void> {
  const old = (await readdir(builds)).sort().slice(0, -keptBuilds);
  for (const build of old) await rm(path.join(builds, build), { recursive: true, force: true });
}

async function build(sources: string): Promise<void> {
  process.env.NODE_ENV = 'production';
  const started = performance.now();
  // Named by time, so that names sort by age.
  const next = path.join(builds, `${Date.now()}-${process.pid}`);
  const [{ build: bundle }, { writePages }, { compressFiles }] = await Promise.all([
    import('vite'),
    import('./build/pages.ts'),
    import('./build/compress.ts'),
  ]);
  const shared = { configFile: path.join(root, 'vite.config.ts'), logLevel: 'warn' } as const;
  try {
    await bundle({ ...shared, build: { outDir: path.join(next, 'web'), emptyOutDir: true, manifest: true } });
    const ssr = {
      ssr: 'app/prerender.tsx',
      outDir: path.join(next, 'ssr'),
      emptyOutDir: true,
      copyPublicDir: false,
    };
    await bundle({ ...shared, build: ssr });
    const pages = await writePages(next);
    await compressFiles(path.join(next, 'web'));
    await copyLastAssets(next);
    await rm(path.join(next, 'ssr'), { recursive: true });
    await rm(path.join(dist, 'stamp'), { force: true });
    await publish(next);
    await writeFile(path.join(dist, 'stamp'), sources);
    await removeOldBuilds();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`Web app built in ${seconds} s: ${pages} pages.`);
  } catch (error) {
    await rm(next, { recursive: true, force: true });
    throw error;
  }
}

const { values } = readCommandLine(
  `Usage: npm run build [-- --if-changed | --check]

Builds the web app into dist.
  --if-changed   builds only if a source has changed since the last build
  --check        builds nothing; prints a warning if the last build is not of these sources
`,
  { options: { 'if-changed': { type: 'boolean' }, check: { type: 'boolean' } } },
);
const ifChanged = values['if-changed'] === true;
if (values.check) {
  // Without the sources the build cannot be compared, so there is no warning.
  const isOld = await hashSources(root).then(
    async sources => !(await isCurrent(sources)),
    () => false,
  );
  if (isOld)
    console.error('The web app is not built from these sources: run `npm run build` and start again.');
} else if (!ifChanged || !(await isCurrent(await hashSources(root)))) {
  const release = await holdBuildLock(dist);
  try {
    // Another process may have built the same sources while this one waited.
    const sources = await hashSources(root);
    if (!ifChanged || !(await isCurrent(sources))) await build(sources);
  } finally {
    await release();
  }
}
