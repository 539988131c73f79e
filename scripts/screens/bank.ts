/**
 * The bank behind a capture. Its data is seeded once; every capture runs on a copy of that data, with the browser's clock at
 * the time of the seeding and with recorded API answers. So two builds of the web app get exactly the same input.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext } from '@playwright/test';
import { adminApi } from '#contract/admin.ts';
import { notificationsApi } from '#contract/notifications.ts';
import { demoAdmin } from '#server/demo/people.ts';
import { inboxAt } from '../../tests/e2e/bank.ts';
import { callOrThrow, logInThroughApi } from '../../tests/e2e/customers.ts';
import { startServer } from '../../tests/serverProcess.ts';
import { customers, type Sessions } from './acts.ts';
import type { Screen } from './list.ts';

/** `body` is base64: an answer can be a picture. */
type Answer = { status: number; contentType: string; body: string };
type Recording = { at: string; answers: Record<string, Answer> };

/** Whether a request never gets an answer: the live connection, and the calls that the screen holds. */
export const isHeld = (url: string, { held }: Screen) =>
  url.endsWith(notificationsApi.live.path) || held?.test(url) === true;

/** Starts the server of a checkout; `stop` resolves when it has ended. */
async function start(root: string, dataDir: string) {
  const settings = {
    // If this variable is set, the server stops when its parent process ends.
    npm_lifecycle_event: 'screens',
    DATA_DIR: dataDir,
    DEMO: '1',
    PORT: '0',
    RATE_LIMITS: 'off',
    // Every page contains this address. A random port in it would change page sizes from run to run.
    PUBLIC_URL: 'http://bank.example',
    // A real day, so that pending transfers stay pending.
    RAIL_DAY_SECONDS: '86400',
  };
  const server = await startServer(settings, 'node', root);
  const stop = async () => {
    server.signal('SIGTERM');
    await server.ended;
  };
  return { url: server.url, stop };
}

/** Starts the bank of a checkout on a copy of the data in a folder, which is seeded if it does not exist yet. */
export async function openBank(root: string, folder: string) {
  const { stderr } = await promisify(execFile)(process.execPath, ['scripts/build.ts', '--check'], {
    cwd: root,
  });
  if (stderr) throw new Error(`${root}: ${stderr}`);
  const [seeded, file] = [join(folder, 'bank'), join(folder, 'recorded.json')];
  if (!existsSync(file)) {
    await (await start(root, seeded)).stop();
    await writeFile(file, JSON.stringify({ at: new Date().toISOString(), answers: {} } satisfies Recording));
  }
  const { at, answers } = JSON.parse(await readFile(file, 'utf8')) as Recording;
  const known = Object.keys(answers).length;
  const dataDir = await mkdtemp(join(tmpdir(), 'larkspur-screens-'));
  await cp(seeded, dataDir, { recursive: true });
  const { url, stop } = await start(root, dataDir);

  const bank = { url, dataDir, stop, ...inboxAt(url) };
  const logins = Object.entries(customers).map(async ([name, email]) => [
    name,
    await logInThroughApi(bank, email),
  ]);
  const loggedIn = Object.fromEntries(await Promise.all(logins)) as Sessions;
  const { email, password } = demoAdmin;
  const admin = await callOrThrow({ url }, adminApi.adminLogin, { body: { email, password } });

  return {
    url,
    at: new Date(at),
    loggedIn,
    admin,
    /** Replays the recorded responses of a screen to the pages of a context, and records new ones. */
    async replay(context: BrowserContext, screen: Screen) {
      await context.route('**/api/**', async route => {
        const request = route.request();
        if (isHeld(request.url(), screen)) return;
        if (screen.failing?.test(request.url())) return await route.abort();
        const key = `${screen.name} ${request.method()} ${request.url().slice(url.length)}`;
        if (!answers[key]) {
          const answer = await route.fetch();
          const contentType = answer.headers()['content-type'] ?? '';
          answers[key] = {
            status: answer.status(),
            contentType,
            body: (await answer.body()).toString('base64'),
          };
        }
        await route.fulfill({ ...answers[key], body: Buffer.from(answers[key].body, 'base64') });
      });
    },
    async close() {
      await stop();
      await rm(dataDir, { recursive: true });
      if (Object.keys(answers).length === known) return;
      await writeFile(`${file}.new`, JSON.stringify({ at, answers } satisfies Recording));
      await rename(`${file}.new`, file);
    },
  };
}
