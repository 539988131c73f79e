/**
 * `scripts/setup.mjs`, which runs before `npm start` and `npm test`: it installs missing packages and explains on Windows
 * that there is no embedded PostgreSQL. npm is real; only the platform is faked.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../scripts/setup.mjs', import.meta.url));
const onWindows = 'data:text/javascript,Object.defineProperty(process,"platform",{value:"win32"})';

/** A checkout that needs no packages, unless `addDependencies` adds some. */
let checkout: string;

function setUp(command: 'start' | 'test', settings: { DATABASE_URL?: string }) {
  const { PATH } = process.env;
  const args = ['--import', onWindows, join(checkout, 'scripts/setup.mjs')];
  const env = { PATH, npm_lifecycle_event: `pre${command}`, ...settings };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  scripts: { prestart: string; pretest: string };
};
const write = (path: string, value: object) => writeFileSync(join(checkout, path), JSON.stringify(value));
const isInstalled = (name: string) => existsSync(join(checkout, 'node_modules', name, 'package.json'));

/** Adds dependencies that are folders of the checkout, so that no network is needed. */
function addDependencies(...names: string[]): void {
  const { prestart } = scripts;
  const dependencies = Object.fromEntries(names.map(name => [name, `file:${name}`]));
  const head = { name: 'checkout', version: '1.0.0' };
  write('package.json', { ...head, dependencies, scripts: { prestart, start: 'echo open' } });
  const packages = Object.fromEntries(
    names.flatMap(name => [
      [name, { version: '1.0.0' }],
      [`node_modules/${name}`, { resolved: name, link: true }],
    ]),
  );
  const lock = {
    lockfileVersion: 3,
    requires: true,
    packages: { '': { ...head, dependencies }, ...packages },
  };
  write('package-lock.json', { ...head, ...lock });
  for (const name of names) {
    mkdirSync(join(checkout, name), { recursive: true });
    write(`${name}/package.json`, { name, version: '1.0.0' });
  }
}

function start(): string {
  const { status, stdout, stderr } = spawnSync('npm', ['start'], { cwd: checkout, encoding: 'utf8' });
  expect(status, stderr).toBe(0);
  expect(stdout).toMatch(/\nopen\n$/);
  return stdout;
}

const execProgram = () => join(checkout, 'node_modules/.bin/exec.cmd');

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'larkspur-setup-'));
  cpSync(script, join(checkout, 'scripts/setup.mjs'));
  mkdirSync(join(checkout, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(checkout, 'package-lock.json'), '{"packages":{"":{}}}');
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

test('npm start on Windows says in one sentence what to use instead, and does not create the program "exec", which the npm scripts call', () => {
  const { status, output } = setUp('start', {});
  expect(status).toBe(1);
  expect(output).toMatch(/^There is no embedded PostgreSQL for Windows: .*WSL 2.*DATABASE_URL.*\.\n$/);
  expect(existsSync(execProgram())).toBe(false);
});

test('npm start on Windows continues if DATABASE_URL is set, and creates the program "exec"', () => {
  expect(setUp('start', { DATABASE_URL: 'postgres://bank@db.example/bank' })).toEqual({
    status: 0,
    output: '',
  });
  expect(readFileSync(execProgram(), 'utf8')).toBe('@%*\r\n');
});

test('npm test on Windows fails with the same sentence, even if DATABASE_URL is set', () => {
  const { status, output } = setUp('test', { DATABASE_URL: 'postgres://bank@db.example/bank' });
  expect({ status, output }).toEqual({ status: 1, output: setUp('start', {}).output });
});

test('the first start installs packages, the next does not, and the first start after the dependencies change installs them again [RC-02]', () => {
  addDependencies('ledger-paper');
  expect(start()).toContain('Installing packages');
  expect(isInstalled('ledger-paper')).toBe(true);
  expect(start()).not.toContain('Installing packages');
  addDependencies('ledger-paper', 'ink');
  expect(start()).toContain('Installing packages');
  expect(isInstalled('ink')).toBe(true);
  expect(scripts.pretest, 'npm test installs in the same way').toBe(scripts.prestart);
});
