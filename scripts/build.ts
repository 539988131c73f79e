/**
 * Builds the web app into `dist/`: `web/` is what the server serves, `csp.json` what its content security policy must
 * allow, `ssr/` the prerender bundle. With `--if-changed` it returns at once when no source has changed. The new build
 * is made beside the old one and then takes its place, so a running server never serves half of one.
 */
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { holdBuildLock } from './build/lock.ts';
import { hashSources } from './build/sources.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = path.join(root, 'dist');

const read = (file: string) => readFile(file, 'utf8').catch(() => '');

async function isCurrent(sources: string): Promise<boolean> {
  return (
    (await read(path.join(dist, 'stamp'))) === sources &&
    (await read(path.join(dist, 'web/index.html'))) !== ''
  );
}

/** Hashed files of the last build stay reachable for one more, for tabs that were open when it was replaced. */
async function keepLastAssets(web: string): Promise<void> {
  const own = await readdir(path.join(web, 'assets'));
  const last: string[] = JSON.parse((await read(path.join(dist, 'assets.json'))) || '[]');
  for (const file of last.filter(name => !own.includes(name))) {
    await cp(path.join(dist, 'web/assets', file), path.join(web, 'assets', file)).catch(() => {});
  }
  await writeFile(path.join(web, '../assets.json'), JSON.stringify(own));
}

async function takeTheirPlace(next: string, old: string): Promise<void> {
  await mkdir(old, { recursive: true });
  for (const part of ['web', 'ssr', 'csp.json', 'assets.json']) {
    await rename(path.join(dist, part), path.join(old, part)).catch(() => {});
    await rename(path.join(next, part), path.join(dist, part));
  }
  await rm(old, { recursive: true, force: true });
  await rm(next, { recursive: true, force: true });
}

async function build(sources: string): Promise<void> {
  process.env.NODE_ENV = 'production';
  const started = performance.now();
  const next = path.join(dist, `next-${process.pid}`);
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
    await keepLastAssets(path.join(next, 'web'));
    await rm(path.join(dist, 'stamp'), { force: true });
    await takeTheirPlace(next, path.join(dist, `old-${process.pid}`));
    await writeFile(path.join(dist, 'stamp'), sources);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`Web app built in ${seconds} s: ${pages} pages.`);
  } finally {
    await rm(next, { recursive: true, force: true });
  }
}

const ifChanged = process.argv.includes('--if-changed');
if (!ifChanged || !(await isCurrent(await hashSources(root)))) {
  const release = await holdBuildLock(dist);
  try {
    // Another process may have built the same sources while this one waited.
    const sources = await hashSources(root);
    if (!ifChanged || !(await isCurrent(sources))) await build(sources);
  } finally {
    await release();
  }
}
