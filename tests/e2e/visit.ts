/** A person's browser: a page in one of the looks every screen must bear, and what that page has in its address bar and storage. */
import { type Browser, type BrowserContext, expect, type Page } from '@playwright/test';
import type { LoggedIn } from './customers.ts';
import { watchPage } from './watch.ts';

export type Look = { width: number; height: number; colorScheme: 'light' | 'dark' };

const desktop = { width: 1440, height: 900 };
const phone = { width: 360, height: 780 };

const inDaylight: Look = { ...desktop, colorScheme: 'light' };

/** The looks in which a screen is judged: both widths, and `expectAccessibleByDayAndNight` gives each the other scheme too. */
export const looks = {
  'on a desk in daylight': inDaylight,
  'on a phone in the dark': { ...phone, colorScheme: 'dark' },
} satisfies Record<string, Look>;

/** The narrowest phone, and a desk at 200 percent. */
export const narrow: Record<string, Look> = {
  'on the narrowest phone': { width: 320, height: 568, colorScheme: 'light' },
  'at 200 percent': { width: 720, height: 450, colorScheme: 'light' },
};

export type Visit = {
  page: Page;
  context: BrowserContext;
  /** That the console said nothing but the lines the visit itself provoked. */
  expectQuiet: (...provoked: string[]) => void;
  close: () => Promise<void>;
};

/** Opens a browser of its own at a bank, in which somebody may be logged in as browser storage keeps it. */
export async function visit(
  browser: Browser,
  url: string,
  look = inDaylight,
  stored: { user?: LoggedIn | undefined; admin?: object } = {},
): Promise<Visit> {
  const { colorScheme, ...viewport } = look;
  const localStorage = Object.entries(stored).map(([name, value]) => ({
    name,
    value: JSON.stringify(value),
  }));
  const storageState = { cookies: [], origins: [{ origin: url, localStorage }] };
  const context = await browser.newContext({ baseURL: url, viewport, colorScheme, storageState });
  const page = await context.newPage();
  return { page, context, expectQuiet: watchPage(page), close: () => context.close() };
}

/** A slow line: every request to a path waits until it is let go. `asked` are the paths, in their order. */
export async function holdLine(page: Page, pattern: string) {
  const asked: string[] = [];
  const held: (() => void)[] = [];
  await page.route(pattern, async route => {
    asked.push(new URL(route.request().url()).pathname);
    await new Promise<void>(resolve => held.push(resolve));
    await route.continue();
  });
  return {
    asked,
    /** Lets the oldest request go that waits, as soon as there is one. */
    async letGo() {
      await expect.poll(() => held.length).toBeGreaterThan(0);
      held.shift()?.();
    },
  };
}

/**
 * Stops the page's clock, so that what is shown for a moment only stays until a busy machine has looked. The test lets time
 * pass with `page.clock.runFor`, and go on with `page.clock.resume`.
 */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
}

/** Lets a page whose clock is stopped finish what it has begun: the answer to a request comes after that. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(() => fetch('/healthz').then(answer => answer.text()));
}

/** That nobody has to scroll sideways. */
export async function expectFitting(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  const cut = await page.evaluate(() =>
    [...document.querySelectorAll('a, button, input')]
      .filter(one => one.checkVisibility() && one.getBoundingClientRect().right > window.innerWidth - 8)
      .map(one => one.outerHTML.slice(0, 80)),
  );
  expect(cut).toEqual([]);
}

/** What browser storage keeps of the customer's session, null for none. */
export async function storedUser(page: Page): Promise<Record<string, unknown> | null> {
  return await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? 'null') as never);
}
