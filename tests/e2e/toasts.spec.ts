/** The behavior of toasts with mouse, keyboard and window focus, tested on the component sheet. */
import { expect, type Page, test } from '@playwright/test';
import { startBankForFile } from './bank.ts';
import { displays, type Visit, visit } from './visit.ts';

const bank = startBankForFile();
let visitor: Visit;

test.beforeEach(async ({ browser }) => {
  const display = displays['on a desktop in light mode'];
  visitor = await visit(browser, bank.url, { ...display, reducedMotion: 'no-preference' });
  await visitor.page.goto('/dev/components');
  await visitor.page.getByRole('button', { name: 'Money arrived' }).click();
  await expect(toast(visitor.page)).toBeVisible();
  await leaveWindow(visitor.page);
});
test.afterEach(async () => {
  visitor.expectErrors();
  await visitor.close();
});

const toast = (page: Page) => page.getByRole('status').filter({ hasText: '+$64.50 from Tobias Fenn' });

/** Simulates a switch to another window, which pauses the toast's timer: a slow test can check the toast before it closes. */
const leaveWindow = (page: Page) => page.evaluate(() => dispatchEvent(new Event('blur')));
const comeBack = (page: Page) => page.evaluate(() => dispatchEvent(new Event('focus')));

/** Returns whether the timer of the toast is `running` or `paused`. */
const timerState = (page: Page) =>
  page.locator('.Toastify__progress-bar').evaluate(bar => getComputedStyle(bar).animationPlayState);

/**
 * Drags the toast to the left, where there is room for the mouse, by `part` of its width, and drops it. Then moves the mouse
 * back to where the toast was, so that a toast that returns is under the mouse and does not time out.
 */
async function drag(page: Page, part: number): Promise<void> {
  const { x, y, width, height } = (await toast(page).boundingBox())!;
  const [fromX, fromY] = [x + width * 0.75, y + height / 2];
  await page.mouse.move(fromX, fromY);
  await page.mouse.down();
  for (let step = 1; step <= 5; step++) await page.mouse.move(fromX - (width * part * step) / 5, fromY);
  await page.mouse.up();
  await page.mouse.move(fromX, fromY);
}

test('a toast is at the top right and closes automatically after five seconds [K-09]', async () => {
  const { page } = visitor;
  await expect
    .poll(async () => {
      const { x, y, width } = (await toast(page).boundingBox())!;
      return y < 60 && x + width > 1400 && x + width <= 1440;
    })
    .toBe(true);
  const duration = await page
    .locator('.Toastify__progress-bar')
    .evaluate(bar => getComputedStyle(bar).animationDuration);
  expect(Number.parseFloat(duration) * (duration.endsWith('ms') ? 1 : 1000)).toBe(5000);
  await page.mouse.move(10, 10);
  await comeBack(page);
  await expect(toast(page)).toHaveCount(0);
});

test('on a phone, a toast covers neither the menu at the top nor the buttons of a form at the bottom [K-09]', async () => {
  const { page } = visitor;
  await page.setViewportSize({ width: 390, height: 844 });
  await expect
    .poll(async () => {
      const { y, height } = (await toast(page).boundingBox())!;
      return y >= 72 && y + height < 240;
    })
    .toBe(true);
});

test('a toast closes on a click [K-10]', async () => {
  // The toast cannot time out while the mouse is over it, so only the click can close it.
  await toast(visitor.page).click();
  await expect(toast(visitor.page)).toHaveCount(0);
});

test('a toast’s timer pauses while the mouse is over it or the window has lost the focus [K-11]', async () => {
  const { page } = visitor;
  await page.mouse.move(10, 10);
  await comeBack(page);
  await expect.poll(() => timerState(page)).toBe('running');
  await toast(page).hover();
  await expect.poll(() => timerState(page)).toBe('paused');
  await page.mouse.move(10, 10);
  await expect.poll(() => timerState(page)).toBe('running');
  await leaveWindow(page);
  await expect.poll(() => timerState(page)).toBe('paused');
  await comeBack(page);
  await expect.poll(() => timerState(page)).toBe('running');
});

test('a toast that is dragged a little returns, and one that is dragged far closes [K-12]', async () => {
  const { page } = visitor;
  await drag(page, 0.6);
  await expect.poll(async () => (await toast(page).boundingBox())!.x).toBeGreaterThan(1050);
  await expect.poll(async () => (await toast(page).boundingBox())!.x).toBeLessThan(1070);
  await drag(page, 0.9);
  await expect(toast(page)).toHaveCount(0);
});

test('Alt+T moves the focus to the toasts [K-13]', async () => {
  const { page } = visitor;
  await page.keyboard.press('Alt+t');
  expect(await page.evaluate(() => document.activeElement?.closest('.Toastify') !== null)).toBe(true);
});
