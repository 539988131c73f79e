/** What every journey checks beside its own story: no console error, no policy violation, nothing axe finds. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * Collects what goes wrong on a page from now on; call the result at the end of the journey, with a part of each line that the
 * journey itself provoked, in their order. Each stands for exactly one line.
 */
export function watchPage(page: Page): (...provoked: string[]) => void {
  const wrong: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error') wrong.push(message.text());
  });
  page.on('pageerror', error => wrong.push(String(error)));
  return (...provoked) => expect(wrong).toEqual(provoked.map(part => expect.stringContaining(part)));
}

/** WCAG 2.2 A and AA on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNothingFound(page, axe =>
    axe.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']),
  );
}

/** `expectAccessible`, and that the other colour scheme can be read as well; leaves the page in that scheme. */
export async function expectAccessibleByDayAndNight(page: Page): Promise<void> {
  await expectAccessible(page);
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' });
  await expectNothingFound(page, axe => axe.withRules(['color-contrast']));
}

/** Accessible by day and by night, and no wider than the screen. */
export async function expectFine(page: Page): Promise<void> {
  await expectAccessibleByDayAndNight(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
}

async function expectNothingFound(page: Page, choose: (axe: AxeBuilder) => AxeBuilder): Promise<void> {
  // A colour on its way from one to another is neither: what has an end is waited for.
  await page.evaluate(async () => {
    // Two frames: in the first the page hears of a change, in the second it is drawn.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const moving = document
      .getAnimations()
      .filter(one => one.playState === 'running' && one.effect?.getComputedTiming().iterations !== Infinity);
    await Promise.allSettled(moving.map(one => one.finished));
  });
  const { violations } = await choose(new AxeBuilder({ page })).analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target.join(' ')).join(', ')}`),
  ).toEqual([]);
}
