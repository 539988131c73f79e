/**
 * Every command that a document names works on the Node of the machine, which may be too old to read TypeScript: npm scripts find
 * the Node that comes with the packages.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { run } from '../serverProcess.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n');
const commands = documents.flatMap(path =>
  [...read(path).matchAll(/`(npm start|npm test|npm run [\w:-]+|npx [\w-]+)/g)].map(
    ([, command]) => command!,
  ),
);
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
/** Our own programs, by the npm script that runs each last. */
const programs = Object.entries(scripts)
  .filter(([name]) => !name.startsWith('pre'))
  .map(([name, script]) => [name, /node (\S+\.ts)[^&]*$/.exec(script)?.[1]] as const);

test.each([...new Set(commands)].sort())('%s --help says how it is used', async command => {
  const [program, ...words] = command.split(' ');
  const { code, said } = await run(program!, [...words, ...(program === 'npm' ? ['--'] : []), '--help'], {});
  expect(said).toMatch(/^Usage:/m);
  expect(code).toBe(0);
});

test.each(programs)('%s refuses an option it does not know, and says how it is used', async (_, program) => {
  const { code, said } = await run(process.execPath, [program!, '--no-such-option'], {});
  expect(said).toMatch(/^Unknown option '--no-such-option'\n\nUsage:/);
  expect(code).toBe(2);
});
