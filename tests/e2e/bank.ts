/** Starts a bank for a file of journeys: a real server process with its own database, mail and files, on a free port. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from '@playwright/test';
import { waitLimitMs, waitUntil } from '../waiting.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const admin = { email: 'admin@bank.example', password: 'correct horse battery' };

export type RunningBank = {
  url: string;
  dataDir: string;
  /** Returns the newest code mailed to an address; if it was returned before, waits for the next one. */
  newCode(email: string): Promise<string>;
  /** The mails to an address, newest first. */
  mailsTo(email: string): Promise<Mail[]>;
  stop(): Promise<void>;
};

type Mail = { to: string; subject: string; text: string; at: string };

/** Starts a bank before the first test of the calling file and stops it after the last. `env` adds settings. */
export function startBankForFile(env: Record<string, string> = {}): RunningBank {
  const bank = {} as RunningBank;
  test.beforeAll(async () => {
    Object.assign(bank, await startBank(env));
  });
  test.afterAll(() => bank.stop());
  return bank;
}

/** Starts a bank; resolves when it is ready. Its data directory is removed when it stops, unless `env` names one. */
export async function startBank(env: Record<string, string>): Promise<RunningBank> {
  const { PREPARED_BANK: prepared } = process.env;
  const folder = mkdtempSync(join(tmpdir(), 'larkspur-journey-'));
  const dataDir = env.DATA_DIR ?? join(folder, 'data');
  // Copied by `cp`, which keeps the owner: PostgreSQL refuses files of another user.
  if (prepared !== undefined && env.DEMO !== '1') execFileSync('cp', ['-a', prepared, dataDir]);
  const server = spawn(process.execPath, ['src/server/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      DEMO: '0',
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      npm_lifecycle_event: undefined,
      ...env,
    },
  });
  let output = '';
  server.stdout.on('data', chunk => {
    output += String(chunk);
  });
  const url = await new Promise<string>((resolve, reject) => {
    server.once('exit', code => reject(new Error(`The bank exited with ${code}:\n${output}`)));
    const timer = setInterval(() => {
      const found = /Bank\s+(http:\/\/localhost:\d+)/.exec(output)?.[1];
      if (!found) return;
      clearInterval(timer);
      resolve(found);
    }, 50);
  });

  return {
    url,
    dataDir,
    ...inboxAt(url),
    async stop() {
      server.removeAllListeners('exit');
      server.kill('SIGTERM');
      await once(server, 'exit');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The functions of a `RunningBank` that read mails, for the bank at `url`. */
export function inboxAt(url: string): Pick<RunningBank, 'mailsTo' | 'newCode'> {
  const used = new Set<string>();
  const mailsTo = async (email: string) => {
    const inbox = await fetch(`${url}/dev/inbox.json?to=${encodeURIComponent(email)}`);
    return (await inbox.json()) as Mail[];
  };
  const newCode = async (email: string) => {
    const code = await waitUntil(`a code mailed to ${email}`, waitLimitMs, async () => {
      const mails = await mailsTo(email);
      const newest = mails.map(mail => /\b(\d{6})\b/.exec(mail.text)?.[1]).find(found => found !== undefined);
      return newest !== undefined && used.has(newest) ? undefined : newest;
    });
    used.add(code);
    return code;
  };
  return { mailsTo, newCode };
}
