/** Captures every screen of a build: a screenshot, the computed styles and the bytes it fetched. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { chromium, type Request } from '@playwright/test';
import { scrollThrough } from '../../tests/e2e/visit.ts';
import { findOrInstallBrowser } from '../browser.ts';
import { isHeld, openBank } from './bank.ts';
import { type Screen, screens } from './list.ts';
import { force, holdStill, readPlainStyles, readStyles, settle, takePicture } from './page.ts';

const heights: Record<number, number> = { 360: 780, 768: 1024, 1440: 900 };
const workers = 4;
/** Chromium flags for identical pixels in every run: full raster, images decoded in time, deterministic compositing. */
const chromiumFlags =
  '--no-sandbox --disable-gpu --disable-partial-raster --disable-checker-imaging --disable-threaded-animation --disable-threaded-scrolling --disable-new-content-rendering-timeout --run-all-compositor-stages-before-draw';
const zip = promisify(gzip);

/** The transferred bytes of a page, by file type. */
export type Bytes = Record<'document' | 'stylesheet' | 'script', number>;

/** Captures the screens whose names match; returns the exit code. */
export async function capture(folder: string, root: string, data: string, only: RegExp): Promise<number> {
  const found = await findOrInstallBrowser();
  if ('missing' in found) throw new Error(found.missing);
  if (only.source === '(?:)') await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'bytes.json');
  const bytes: Record<string, Bytes> = JSON.parse(await readFile(file, 'utf8').catch(() => '{}'));
  const bank = await openBank(root, data);
  const browser = await chromium.launch({ executablePath: found.path, args: chromiumFlags.split(' ') });
  const plain = await readPlainStyles(browser);
  const started = performance.now();
  let failures = 0;

  async function visit(screen: Screen, width: number): Promise<void> {
    const user = screen.as === 'admin' ? undefined : screen.as && bank.loggedIn[screen.as];
    const stored = Object.entries({ user, admin: screen.as === 'admin' ? bank.admin : undefined });
    const localStorage = stored.flatMap(([name, one]) => (one ? [{ name, value: JSON.stringify(one) }] : []));
    const context = await browser.newContext({
      baseURL: bank.url,
      viewport: { width, height: heights[width]! },
      hasTouch: width === 360,
      locale: 'en-US',
      timezoneId: 'America/New_York',
      storageState: { cookies: [], origins: [{ origin: bank.url, localStorage }] },
    });
    try {
      await context.clock.setFixedTime(bank.at);
      await context.addInitScript(holdStill);
      await bank.replay(context, screen);
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      const pending = new Set<Request>();
      // Keyed by URL: `route` turns off the HTTP cache, so a script can be fetched twice, for its preload and for its import.
      const fetched = new Map<string, Request>();
      page.on('request', request => isHeld(request.url(), screen) || pending.add(request));
      page.on('requestfailed', request => pending.delete(request));
      page.on('requestfinished', request => {
        pending.delete(request);
        fetched.set(request.url(), request);
      });

      await page.emulateMedia({ colorScheme: 'light', ...screen.media });
      await page.goto(screen.path);
      await settle(page, pending);
      // Scrolls twice, because the parts that the first scroll loads can contain lazy parts.
      for (let times = screen.read ? 2 : 0; times > 0; times--) {
        await scrollThrough(page);
        await settle(page, pending);
      }
      // Read before the mouse moves, because a link under the mouse prefetches its screen.
      const loaded = [...fetched.values()];
      await screen.act?.(page, bank.loggedIn);
      // An element that is under the mouse after a click gets its hover state at an unpredictable time.
      await page.mouse.move(0, 0);
      const session = await context.newCDPSession(page);
      if (screen.force) await force(session, screen.force);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, ...screen.media });
        await settle(page, pending);
        const name = join(folder, `${screen.name}@${width}-${colorScheme}`);
        const styles = (await readStyles(session, plain)).replaceAll(bank.url, '');
        await writeFile(`${name}.styles.gz`, await zip(styles, { level: 1 }));
        await writeFile(`${name}.png`, await takePicture(session, width));
      }

      if (width !== 1440 || screen.act || screen.force || screen.media) return;
      const size: Bytes = { document: 0, stylesheet: 0, script: 0 };
      for (const request of loaded) {
        const kind = request.resourceType() as keyof Bytes;
        if (kind in size) size[kind] += (await request.sizes()).responseBodySize;
      }
      bytes[screen.name] = size;
    } finally {
      await context.close();
    }
  }

  try {
    const waiting = [...screens, ...(await listPages(bank.url))].filter(({ name }) => only.test(name));
    const work = async () => {
      for (let screen = waiting.shift(); screen; screen = waiting.shift()) {
        for (const width of screen.at ?? Object.keys(heights).map(Number)) {
          await visit(screen, width).catch((error: unknown) => {
            failures++;
            console.error(`${screen?.name} at ${width}: ${String(error)}`);
          });
        }
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
    await writeFile(
      file,
      JSON.stringify(
        Object.fromEntries(Object.entries(bytes).sort(([a], [b]) => a.localeCompare(b))),
        null,
        2,
      ),
    );
  } finally {
    await browser.close();
    await bank.close();
  }
  console.log(`Captured in ${Math.round((performance.now() - started) / 1000)} s, ${failures} failed.`);
  return failures === 0 ? 0 : 1;
}

/** Every public page of the sitemap. */
async function listPages(url: string): Promise<Screen[]> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
  const paths = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc = '']) => new URL(loc).pathname);
  return paths.map(path => ({ name: `page${path.replaceAll('/', '-')}`, path, read: true }));
}
