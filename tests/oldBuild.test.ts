/** `npm run serve` warns if the web app is not built from the present sources; `npm start` builds it again. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashSources } from '#scripts/build/sources.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const line = 'The web app is not built from these sources: run `npm run build` and start again.\n';

let checkout: string;
function write(path: string, content: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true });
  writeFileSync(join(checkout, path), content);
}
/** Runs `npm run serve` in the checkout, whose server exits immediately, and returns what it writes to stderr. */
function serve() {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'serve'], { cwd: checkout });
  expect({ status, stdout: String(stdout) }).toEqual({ status: 0, stdout: 'open\n' });
  return String(stderr);
}

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'larkspur-checkout-'));
  for (const part of [
    'package.json',
    'scripts/build.ts',
    'scripts/build',
    'scripts/serve.ts',
    'scripts/start.ts',
    'src/server/commands/commandLine.ts',
  ])
    cpSync(join(root, part), join(checkout, part), { recursive: true });
  for (const path of ['src/web/index.html', 'src/contract/api.ts', 'vite.config.ts', 'package-lock.json'])
    write(path, path);
  write('src/server/main.ts', "process.stdout.write('open\\n');");
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

test('serving a checkout that was never built, or has changed since, prints a line that says to build it [RC-12]', async () => {
  expect(serve()).toBe(line);
  write('dist/web/index.html', 'built');
  write('dist/stamp', await hashSources(checkout));
  expect(serve()).toBe('');
  write('src/contract/api.ts', 'pulled');
  expect(serve()).toBe(line);
});

test('npm start builds only if the sources have changed since the last build [RC-03]', async () => {
  const start = () =>
    spawnSync('npm', ['start', '--silent', '--ignore-scripts'], { cwd: checkout, encoding: 'utf8' });
  write('dist/web/index.html', 'built');
  write('dist/stamp', await hashSources(checkout));
  expect(start()).toMatchObject({ status: 0, stdout: 'open\n', stderr: '' });
  write('src/contract/api.ts', 'pulled');
  // This checkout has no bundler, so a build fails, and npm start fails with it.
  const { status, stdout, stderr } = start();
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toContain("Cannot find package 'vite'");
});

test('serving a checkout without its sources prints no warning, because they cannot be compared', () => {
  rmSync(join(checkout, 'src/web'), { recursive: true });
  write('dist/web/index.html', 'built');
  expect(serve()).toBe('');
});
