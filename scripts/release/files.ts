/** Which files a release has: what the server and its commands load, the built web app, and what an operator reads. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Entry } from './tar.ts';

/** Files and folders of the repository. */
const parts = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  '.node-version',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'docs',
  'deploy',
  'db/migrations',
  'src/contract',
  'src/server',
  // Needed by `npm run serve`.
  'scripts/serve.ts',
  'scripts/build.ts',
  'scripts/build/lock.ts',
  'scripts/build/sources.ts',
];
/** Whether a file is a secret: deploy/docker/compose.yml reads the secrets of a bank in this checkout from this folder. */
const isSecret = (name: string) => name.startsWith('deploy/docker/secrets/');
const isLeftOut = (name: string) =>
  isSecret(name) || (/\.test\.ts$|(^|\/)tsconfig\.json$|\.png$/.test(name) && !isLoaded(name));
/** Pictures that the server loads; the others belong to the documents. */
const isLoaded = (name: string) => name.startsWith('src/') && name.endsWith('.png');

/** Reads the files of a release. `build`: the folder of one build of the web app. */
export async function readReleaseFiles(root: string, build: string): Promise<Entry[]> {
  const own: Entry[] = [];
  for (const part of parts) own.push(...(await readAll(path.join(root, part), part)));
  const built = await readAll(build, 'dist');
  // A build also has assets of the build before it, for open tabs. These differ from machine to machine and are left out.
  const assets = JSON.parse(await readFile(path.join(build, 'assets.json'), 'utf8')) as string[];
  const isOwn = ({ name }: Entry) =>
    !name.startsWith('dist/web/assets/') || assets.includes(name.slice('dist/web/assets/'.length));
  return [...own.filter(({ name }) => !isLeftOut(name)), ...built.filter(isOwn)];
}

/** Reads a file, or all files in a folder. The entries' names start with `to` instead of `from`. */
async function readAll(from: string, to: string): Promise<Entry[]> {
  const found = await readdir(from, { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (!found) return [{ name: to, content: await readFile(from) }];
  const files = found.filter(entry => entry.isFile()).map(entry => path.join(entry.parentPath, entry.name));
  const entries: Entry[] = [];
  // One at a time: a process may have only a few hundred files open.
  for (const file of files)
    entries.push({
      name: path.posix.join(to, path.relative(from, file).replaceAll(path.sep, '/')),
      content: await readFile(file),
    });
  return entries;
}
