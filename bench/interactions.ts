/**
 * Measures how quickly the app answers when the processor is four times slower. Measures the longest interaction (INP) with the
 * keypad and the email field of the login, the amount of a transfer, the search of the transactions, and the search and filter
 * of an admin table. Also measures the time from a press on a tab until the next screen is painted, and how much the layout
 * shifts. The tabs are also measured at full speed. The screen is a phone's, except for the admin table.
 */
import { type Browser, chromium, type Page } from '@playwright/test';
import { demoAdmin, demoPassword } from '#server/demo/people.ts';
import { runWhileQuiet } from './quiet.ts';

/** `goal`: the highest value that reaches the goal; undefined if there is no goal. */
export type Interaction = { name: string; goal: number | undefined; unit: string; values: number[] };

const customer = 'amara@lindqvist.example';
const slowdown = 4;
const tabPress = 'tab pressed until the next screen is painted';
const layoutShift = 'layout shift of these presses, in thousandths';

/** Runs in the page: records the durations of interactions, and the layout shifts. */
function record(): void {
  const recorded = { durations: [] as number[], shift: 0 };
  Object.assign(window, { recorded });
  type Timing = PerformanceEntry & { interactionId?: number; value?: number; hadRecentInput?: boolean };
  const observe = (type: string, take: (entry: Timing) => void) =>
    new PerformanceObserver(list => list.getEntries().forEach(take)).observe({
      type,
      buffered: true,
      durationThreshold: 16,
    } as PerformanceObserverInit);
  observe('event', entry => entry.interactionId && recorded.durations.push(entry.duration));
  observe('layout-shift', ({ value = 0, hadRecentInput }) => {
    if (!hadRecentInput) recorded.shift += value;
  });
}

/** The longest interaction since the last call, in milliseconds; 16 or less counts as 16. */
async function longestInteraction(page: Page): Promise<number> {
  await page.waitForTimeout(300);
  return page.evaluate(() => {
    const { recorded } = window as unknown as { recorded: { durations: number[] } };
    return Math.max(16, ...recorded.durations.splice(0));
  });
}

const readShift = (page: Page) =>
  page.evaluate(() => (window as unknown as { recorded: { shift: number } }).recorded.shift);

/** Presses a link. Returns the milliseconds until a frame with the next screen's heading or skeleton is painted. */
async function timeNavigation(page: Page, name: string): Promise<number> {
  const link = page.locator('.Tabs').getByRole('link', { name, exact: true });
  // A person moves the pointer to the link before the click, and the app prefetches the screen's script on hover.
  await link.hover();
  await page.waitForTimeout(500);
  const painted = page.evaluate(
    () =>
      new Promise<number>(done => {
        addEventListener(
          'click',
          ({ timeStamp }) => {
            const shown = () => document.querySelector('main')!.textContent;
            const before = shown();
            const poll = () => {
              if (shown() === before) requestAnimationFrame(poll);
              else requestAnimationFrame(() => setTimeout(() => done(performance.now() - timeStamp)));
            };
            poll();
          },
          { once: true, capture: true },
        );
      }),
  );
  await link.click();
  return painted;
}

/** Waits until the screen has its data. The live updates keep a request open, so the network is never idle. */
const becomeIdle = (page: Page) =>
  page.evaluate(
    () => new Promise(done => requestIdleCallback(() => setTimeout(done, 1000), { timeout: 5000 })),
  );

async function newestCode(url: string, sinceMs: number): Promise<string> {
  for (;;) {
    const mails = (await (
      await fetch(`${url}/dev/inbox.json?to=${encodeURIComponent(customer)}`)
    ).json()) as { text: string; at: string }[];
    const mail = mails.find(({ at, text }) => Date.parse(at) >= sinceMs && /\b\d{6}\b/.test(text));
    if (mail) return /\b\d{6}\b/.exec(mail.text)![0];
  }
}

async function openPhone(browser: Browser, url: string) {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 360, height: 780 },
    reducedMotion: 'reduce',
  });
  await context.addInitScript(record);
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const slowDown = (rate: number) => session.send('Emulation.setCPUThrottlingRate', { rate });
  await slowDown(slowdown);
  return { page, slowDown };
}

/** Presses every tab. Returns the longest time until the next screen is painted, in milliseconds. */
async function timeTabs(page: Page): Promise<number> {
  const times: number[] = [];
  for (const name of ['Transactions', 'Loans', 'Settings', 'Transfer', 'Overview']) {
    times.push(await timeNavigation(page, name));
    await becomeIdle(page);
  }
  return Math.max(...times);
}

/** Runs one round through all screens. Returns milliseconds by name, and the layout shift of the navigations in thousandths. */
async function runRound(browser: Browser, url: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  const { page, slowDown } = await openPhone(browser, url);
  await page.goto('/login');
  await page.locator('.Visitor[data-only]').first().waitFor({ state: 'detached' });
  for (const digit of demoPassword)
    await page.getByRole('button', { name: digit, exact: true }).click({ delay: 40 });
  found['keypad of the login'] = await longestInteraction(page);
  const startedAt = Date.now();
  await page.getByLabel('Email').pressSequentially(customer, { delay: 40 });
  found['email of the login'] = await longestInteraction(page);
  await page.locator('main').getByRole('button', { name: 'Login', exact: true }).click();
  await page.getByLabel('Digit 1 of 6').focus();
  await page.keyboard.type(await newestCode(url, startedAt - 1000), { delay: 40 });
  await page.getByRole('button', { name: 'Verify OTP' }).click();
  await page.waitForURL('**/dashboard');
  await becomeIdle(page);
  // The login page has another header. Replacing that header does not count as a layout shift of the tabs.
  const shiftBefore = await readShift(page);
  found[`${tabPress}, ${slowdown} times slower`] = await timeTabs(page);
  await slowDown(1);
  found[tabPress] = await timeTabs(page);
  await slowDown(slowdown);
  found[layoutShift] = 1000 * ((await readShift(page)) - shiftBefore);
  await page.goto('/dashboard/transfer');
  await becomeIdle(page);
  await page.getByLabel('Amount', { exact: true }).pressSequentially('1234.56', { delay: 60 });
  found['amount of a transfer'] = await longestInteraction(page);
  await page.goto('/dashboard/transactions');
  await becomeIdle(page);
  await page.locator('main').getByLabel('Search').first().pressSequentially('rent', { delay: 60 });
  found['search of the transactions'] = await longestInteraction(page);
  await page.context().close();

  const { page: desk } = await openPhone(browser, url);
  await desk.setViewportSize({ width: 1280, height: 800 });
  await desk.goto('/admin/login');
  await desk.locator('.Visitor[data-only]').first().waitFor({ state: 'detached' });
  await desk.getByLabel('Email').fill(demoAdmin.email);
  await desk.getByLabel('Password').fill(demoAdmin.password);
  await desk.locator('main').getByRole('button', { name: 'Login', exact: true }).click();
  await desk.waitForURL('**/admin/dashboard');
  await desk.goto('/admin/dashboard?view=transactions');
  await becomeIdle(desk);
  await longestInteraction(desk);
  await desk.getByLabel('Search').first().pressSequentially('amara', { delay: 60 });
  await desk.getByLabel('Type').selectOption('external-transfer');
  found['search and filter of an admin table'] = await longestInteraction(desk);
  await desk.context().close();
  return found;
}

/** Measures everything in `runs` rounds on a quiet machine; empty if the machine was not quiet often enough. */
export async function measureInteractions(
  url: string,
  executablePath: string,
  runs: number,
): Promise<Interaction[]> {
  const browser = await chromium.launch({ executablePath });
  try {
    const rounds = await runWhileQuiet(runs, () => runRound(browser, url));
    if (rounds.length < runs) return [];
    return Object.keys(rounds[0]!).map(name => ({
      name,
      goal: name === layoutShift ? 0 : name.startsWith(`${tabPress},`) ? undefined : 100,
      unit: name === layoutShift ? '' : ' ms',
      values: rounds.map(found => found[name]!),
    }));
  } finally {
    await browser.close();
  }
}
