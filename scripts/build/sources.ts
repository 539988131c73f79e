/** One hash of all sources of the web build. It covers contents, not times: a checkout gives every file a new time. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const parts = [
  'src/web',
  'src/contract',
  'scripts/build',
  'scripts/build.ts',
  'vite.config.ts',
  'package-lock.json',
];

async function listFiles(root: string, part: string): Promise<string[]> {
  const entries = await readdir(path.join(root, part), { recursive: true, withFileTypes: true }).catch(
    () => null,
  );
  if (!entries) return [part];
  return entries
    .filter(entry => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map(entry => path.relative(root, path.join(entry.parentPath, entry.name)));
}

/** Returns the SHA-256 (hex) of the names and contents of every source of the web build, without tests. */
export async function hashSources(root: string): Promise<string> {
  const files = (await Promise.all(parts.map(part => listFiles(root, part)))).flat().sort();
  const contents = await Promise.all(files.map(file => readFile(path.join(root, file))));
  const hash = createHash('sha256');
  for (const [index, file] of files.entries()) {
    hash
      .update(`${file.replaceAll(path.sep, '/')}\0${contents[index]?.length}\0`)
      .update(contents[index] ?? '');
  }
  return hash.digest('hex');
}
