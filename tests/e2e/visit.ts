/** Opens a browser page at a bank with a given screen size, color scheme and stored session, and checks what it shows. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import type { StoredCustomer } from './customers.ts';
import { collectErrors } from './watch.ts';

export type Display = {
  width: number;
  height: number;
  colorScheme: 'light' | 'dark';
  /** Reduced by default: drawing animations took a tenth of the CPU time. Pages opened without `visit` may have animations. */
  reducedMotion?: 'no-preference' | undefined;
};

const desktop = { width: 1440, height: 900 };
const phone = { width: 360, height: 780 };

const desktopLight: Display = { ...desktop, colorScheme: 'light' };

/** The displays on which a screen is tested. `expectAccessibleInBothSchemes` also tests the other color scheme on each. */
export const displays = {
  'on a desktop in light mode': desktopLight,
  'on a phone in dark mode': { ...phone, colorScheme: 'dark' },
} satisfies Record<string, Display>;

/** The narrowest phone, and a desktop at 200 percent zoom. */
export const narrowDisplays: Record<string, Display> = {
  'on the narrowest phone': { width: 320, height: 568, colorScheme: 'light' },
  'at 200 percent zoom': { width: 720, height: 450, colorScheme: 'light' },
};

export type Visit = {
  page: Page;
  context: BrowserContext;
  /** Asserts that the page had exactly these console errors, each given by a part of its text, in order; none by default. */
  expectErrors: (...expected: string[]) => void;
  close: () => Promise<void>;
};

/** Opens a new browser context at a bank. Local storage gets `stored`: a logged-in customer, administrator, or nothing. */
export async function visit(
  browser: Browser,
  url: string,
  display = desktopLight,
  stored: { user?: StoredCustomer | undefined; admin?: object } = {},
  serviceWorkers: 'allow' | 'block' = 'block',
): Promise<Visit> {
  const { colorScheme, reducedMotion = 'reduce', ...viewport } = display;
  const localStorage = Object.entries(stored).map(([name, value]) => ({
    name,
    value: JSON.stringify(value),
  }));
  const storageState = { cookies: [], origins: [{ origin: url, localStorage }] };
  const context = await browser.newContext({
    baseURL: url,
    viewport,
    colorScheme,
    reducedMotion,
    storageState,
    serviceWorkers,
  });
  const page = await context.newPage();
  return { page, context, expectErrors: collectErrors(page), close: () => context.close() };
}

/** Waits for hydration: after it the top bar contains only the variant for this visitor. */
export const expectHydrated = (page: Page) => expect(page.locator('.Visitor[data-only]')).toHaveCount(0);

/** The number of bytes that are sent for a file: its Brotli copy, or the file itself if it is too small to have one. */
const compressedSize = (file: string) => readFileSync(existsSync(`${file}.br`) ? `${file}.br` : file).length;

/** Counts the compressed script that a page loads from now on, in kilobytes of 1,000 bytes. */
export function countScripts(page: Page): { kilobytes(): number; files(): string } {
  const web = realpathSync(fileURLToPath(new URL('../../dist/web', import.meta.url)));
  const scripts = new Map<string, number>();
  page.on('request', request => {
    if (request.resourceType() !== 'script') return;
    const { pathname } = new URL(request.url());
    scripts.set(pathname, compressedSize(web + pathname));
  });
  return {
    kilobytes: () => [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0) / 1000,
    files: () => [...scripts.keys()].join(' '),
  };
}

/** Simulates a slow connection: requests that match `pattern` wait for `releaseOldest`. `paths` lists them in order. */
export async function holdRequests(page: Page, pattern: string) {
  const paths: string[] = [];
  const held: (() => void)[] = [];
  await page.route(pattern, async route => {
    paths.push(new URL(route.request().url()).pathname);
    await new Promise<void>(resolve => held.push(resolve));
    await route.continue();
  });
  return {
    paths,
    /** Releases the oldest held request, or the next one if none is held. */
    async releaseOldest() {
      await expect.poll(() => held.length).toBeGreaterThan(0);
      held.shift()?.();
    },
  };
}

/** Scrolls to the end of the page step by step, so that lazy parts load. */
export async function scrollThrough(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight / 2) {
      scrollTo({ top, behavior: 'instant' });
      for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
    }
  });
}

/**
 * Stops the clock of these pages of one context, so that temporary elements stay visible however slow the machine is. The test
 * advances the clock with `page.clock.runFor` and restarts it with `page.clock.resume`.
 */
export async function stopClock(...pages: [Page, ...Page[]]): Promise<void> {
  const pause = async (): Promise<void> => {
    const times = await Promise.all(pages.map(page => page.evaluate(() => Date.now())));
    await pages[0].clock.pauseAt(Math.max(...times) + 1000);
  };
  await pause().catch((error: Error) => {
    // On a busy machine, the clock can pass that time before `pauseAt` stops it. By now it has stopped: try a later time.
    if (!error.message.includes('Cannot fast-forward to the past')) throw error;
    return pause();
  });
}

/** Lets a page with a stopped clock finish its pending work, by waiting for the response to one more request. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(() => fetch('/healthz').then(answer => answer.text()));
}

/** Asserts that the page does not scroll sideways and no control is cut off at the right edge. */
export async function expectFitsScreen(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('a, button, input')]
      .filter(
        control => control.checkVisibility() && control.getBoundingClientRect().right > window.innerWidth - 8,
      )
      .map(control => control.outerHTML.slice(0, 80)),
  );
  expect(cut).toEqual([]);
}

/** Returns the customer in browser storage, or null. */
export async function storedUser(page: Page): Promise<Record<string, unknown> | null> {
  return await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? 'null') as never);
}
