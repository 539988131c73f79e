/**
 * `npm run format`: writes the house format into the sources, sorts imports, and applies the fixes of lint rules that are safe.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommandLine } from '#server/commands/commandLine.ts';

const { positionals } = readCommandLine(
  `Usage: npm run format [-- <file or folder> ...]

Formats the named files, or all, and applies safe fixes of lint rules. Says what remains to be fixed by hand.
`,
  { allowPositionals: true },
);
const biome = fileURLToPath(new URL('../node_modules/.bin/biome', import.meta.url));
const files = positionals.length > 0 ? positionals : [path.join(import.meta.dirname, '..')];
const { status } = spawnSync(biome, ['check', '--write', ...files], { stdio: 'inherit' });
process.exitCode = status ?? 1;
