/**
 * Every command in the documents answers `--help`, even where the machine's own Node is too old to run TypeScript, because npm
 * scripts use the bundled Node. Every npm script refuses unknown options.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listFiles } from '#scripts/listFiles.ts';
import { run } from '../serverProcess.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const documents = listFiles(root).filter(path => path.endsWith('.md'));
const commands = documents.flatMap(path =>
  [...read(path).matchAll(/`(npm start|npm test|npm run [\w:-]+|npx [\w-]+)/g)].map(
    ([, command]) => command!,
  ),
);
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
/** The program that each npm script runs last. */
const programs = Object.entries(scripts)
  .filter(([name]) => !name.startsWith('pre'))
  .map(([name, script]) => [name, /node (?:--\S+ )*(\S+\.ts)[^&]*$/.exec(script)?.[1]] as const);

test.each([...new Set(commands)].sort())('%s --help prints its usage', async command => {
  const script = scripts[/^npm run (.+)/.exec(command)?.[1] ?? ''];
  // Scripts are run as npm runs them, but without npm, because npm takes longer than most commands.
  const { code, output } = script
    ? await run('sh', ['-c', `PATH=node_modules/.bin:$PATH; ${script} --help`], {})
    : await run('sh', ['-c', `${command}${command.startsWith('npm') ? ' --' : ''} --help`], {});
  expect(output).toMatch(/^Usage:/m);
  expect(code).toBe(0);
});

test.each(programs)('%s refuses an unknown option and prints its usage', async (_, program) => {
  const { code, output } = await run(process.execPath, [program!, '--no-such-option'], {});
  expect(output).toMatch(/^Unknown option '--no-such-option'\n\nUsage:/);
  expect(code).toBe(2);
});
