/**
 * `npm run format`: writes the house format into the sources, sorts imports, and applies the fixes of lint rules that are safe.
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { readCommandLine } from '#server/commands/commandLine.ts';
import { listFiles } from './listFiles.ts';

const { positionals } = readCommandLine(
  `Usage: npm run format [-- <file or folder> ...]

Formats the named files, or all, and applies safe fixes of lint rules. Names the files that it changed, and says what remains
to be fixed by hand.
`,
  { allowPositionals: true },
);
const root = path.join(import.meta.dirname, '..');
const biome = path.join(root, 'node_modules', '.bin', 'biome');
const readTimes = () => listFiles(root).map(file => [file, statSync(path.join(root, file)).mtimeMs] as const);

const before = new Map(readTimes());
const files = positionals.length > 0 ? positionals : [root];
const { status } = spawnSync(biome, ['check', '--write', ...files], { stdio: 'inherit' });
for (const [file, time] of readTimes())
  if (before.get(file) !== time) process.stdout.write(`Changed ${file}\n`);
process.exitCode = status ?? 1;
