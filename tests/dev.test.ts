/** What `npm run dev` refuses. What it does with changed code is tested in a browser, in `tests/e2e/dev.spec.ts`. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const script = fileURLToPath(new URL('../scripts/dev.ts', import.meta.url));

test('npm run dev refuses DATABASE_URL, which could be a real bank, and starts nothing [RC-49]', () => {
  const folder = mkdtempSync(join(tmpdir(), 'larkspur-dev-'));
  const DATA_DIR = join(folder, 'data');
  const settings = { PATH: process.env.PATH, PORT: '0', DATA_DIR };
  const env = { ...settings, DATABASE_URL: 'postgres://localhost:1/bank' };
  const { status, stderr } = spawnSync(process.execPath, [script], { env, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('npm run dev never opens DATABASE_URL');
  expect(existsSync(DATA_DIR)).toBe(false);
  rmSync(folder, { recursive: true });
});
