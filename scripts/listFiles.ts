/** The files of the repository. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The paths of the files below `root` that Git tracks, or that are new and not ignored. */
export function listFiles(root: string): string[] {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(path => path !== '' && existsSync(join(root, path)));
}
