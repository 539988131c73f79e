/** How toasts behave, wherever they are said: tried on the component sheet, by mouse, keyboard and leaving the window. */
import { expect, type Page, test } from '@playwright/test';
import { bankOfFile } from './bank.ts';
import { type Visit, visit } from './visit.ts';

const bank = bankOfFile();
let here: Visit;

test.beforeEach(async ({ browser }) => {
  here = await visit(browser, bank.url);
  await here.page.goto('/dev/components');
  await here.page.getByRole('button', { name: 'Money arrived' }).click();
  await expect(toast(here.page)).toBeVisible();
  await leaveWindow(here.page);
});
test.afterEach(async () => {
  here.expectQuiet();
  await here.close();
});

const toast = (page: Page) => page.getByRole('status').filter({ hasText: '+$64.50 from Tobias Fenn' });

/** Off to another window: the toast rests there and does not close before a busy machine gets to the test. */
const leaveWindow = (page: Page) => page.evaluate(() => dispatchEvent(new Event('blur')));
const comeBack = (page: Page) => page.evaluate(() => dispatchEvent(new Event('focus')));

/** Whether the time a toast has left runs or rests. */
const clockOf = (page: Page) =>
  page.locator('.Toastify__progress-bar').evaluate(bar => getComputedStyle(bar).animationPlayState);

/**
 * Takes the toast and lets it go a part of its width further left, where there is room for the mouse. The mouse then rests
 * where the toast stood: one that comes back does not close by itself.
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

test('a toast stands at the top right and closes by itself after five seconds [K-09]', async () => {
  const { page } = here;
  await expect
    .poll(async () => {
      const { x, y, width } = (await toast(page).boundingBox())!;
      return y < 60 && x + width > 1400 && x + width <= 1440;
    })
    .toBe(true);
  const life = await page
    .locator('.Toastify__progress-bar')
    .evaluate(bar => getComputedStyle(bar).animationDuration);
  expect(Number.parseFloat(life) * (life.endsWith('ms') ? 1 : 1000)).toBe(5000);
  await page.mouse.move(10, 10);
  await comeBack(page);
  await expect(toast(page)).toHaveCount(0);
});

test('a toast closes on a click [K-10]', async () => {
  // The mouse stays where it is, and under the mouse no toast closes by itself.
  await toast(here.page).click();
  await expect(toast(here.page)).toHaveCount(0);
});

test('a toast rests while the mouse is over it, and while the person is in another window [K-11]', async () => {
  const { page } = here;
  await page.mouse.move(10, 10);
  await comeBack(page);
  await expect.poll(() => clockOf(page)).toBe('running');
  await toast(page).hover();
  await expect.poll(() => clockOf(page)).toBe('paused');
  await page.mouse.move(10, 10);
  await expect.poll(() => clockOf(page)).toBe('running');
  await leaveWindow(page);
  await expect.poll(() => clockOf(page)).toBe('paused');
  await comeBack(page);
  await expect.poll(() => clockOf(page)).toBe('running');
});

test('a toast that is dragged a little comes back, and goes when dragged away [K-12]', async () => {
  const { page } = here;
  await drag(page, 0.6);
  await expect.poll(async () => (await toast(page).boundingBox())!.x).toBeGreaterThan(1050);
  await expect.poll(async () => (await toast(page).boundingBox())!.x).toBeLessThan(1070);
  await drag(page, 0.9);
  await expect(toast(page)).toHaveCount(0);
});

test('Alt and T bring the keyboard to the toasts [K-13]', async () => {
  const { page } = here;
  await page.keyboard.press('Alt+t');
  expect(await page.evaluate(() => document.activeElement?.closest('.Toastify') !== null)).toBe(true);
});
