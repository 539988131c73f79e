/** What `npm start` and `npm test` say on Windows, where there is no embedded PostgreSQL. The platform is the only thing faked. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../scripts/setup.mjs', import.meta.url));
const onWindows = 'data:text/javascript,Object.defineProperty(process,"platform",{value:"win32"})';

/** A checkout without packages, so that there is nothing to install. */
let checkout: string;

function setUp(command: 'start' | 'test', settings: { DATABASE_URL?: string }) {
  const { PATH } = process.env;
  const args = ['--import', onWindows, join(checkout, 'scripts/setup.mjs')];
  const env = { PATH, npm_lifecycle_event: `pre${command}`, ...settings };
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

const execProgram = () => join(checkout, 'node_modules/.bin/exec.cmd');

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'larkspur-setup-'));
  cpSync(script, join(checkout, 'scripts/setup.mjs'));
  mkdirSync(join(checkout, 'node_modules/.bin'), { recursive: true });
  writeFileSync(join(checkout, 'package-lock.json'), '{"packages":{"":{}}}');
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

test('npm start on Windows says in one sentence what to use, before it installs anything', () => {
  const { status, said } = setUp('start', {});
  expect(status).toBe(1);
  expect(said).toMatch(/^There is no embedded PostgreSQL for Windows: .*WSL 2.*DATABASE_URL.*\.\n$/);
  expect(existsSync(execProgram())).toBe(false);
});

test('npm start on Windows goes on with a database of its own, and its scripts can say exec', () => {
  expect(setUp('start', { DATABASE_URL: 'postgres://bank@db.example/bank' })).toEqual({
    status: 0,
    said: '',
  });
  expect(readFileSync(execProgram(), 'utf8')).toBe('@%*\r\n');
});

test('npm test on Windows is refused with the same sentence, whatever database is set', () => {
  const { status, said } = setUp('test', { DATABASE_URL: 'postgres://bank@db.example/bank' });
  expect({ status, said }).toEqual({ status: 1, said: setUp('start', {}).said });
});
