/** What every journey checks beside its own story: no console error, no policy violation, nothing axe finds. */
import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

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
  await expectNothingFound(page, {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  });
}

/** `expectAccessible`, and that the other colour scheme can be read as well; leaves the page in that scheme. */
export async function expectAccessibleByDayAndNight(page: Page): Promise<void> {
  await expectAccessible(page);
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' });
  await expectNothingFound(page, { type: 'rule', values: ['color-contrast'] });
}

/** Accessible by day and by night, and no wider than the screen. */
export async function expectFine(page: Page): Promise<void> {
  await expectAccessibleByDayAndNight(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
}

async function expectNothingFound(page: Page, runOnly: axe.RunOnly): Promise<void> {
  await atRest(page);
  // Read into a document once, and run in it: the library for Playwright opens another page for every look.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const found = await page.evaluate(async chosen => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: chosen,
      resultTypes: ['violations'],
    });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    );
  }, runOnly);
  expect(found).toEqual([]);
  // A page inside this one would not have been looked at.
  expect(page.frames()).toHaveLength(1);
}

/**
 * Waits for what moves and has an end: a colour on its way from one to another is neither. What inherits a colour sets out
 * when what it inherits from has arrived, so the page rests when two frames have nothing moving.
 */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let still = 0; still < 2; ) {
      await new Promise(requestAnimationFrame);
      const moving = document
        .getAnimations()
        .filter(
          one => one.playState === 'running' && one.effect?.getComputedTiming().iterations !== Infinity,
        );
      await Promise.allSettled(moving.map(one => one.finished));
      still = moving.length === 0 ? still + 1 : 0;
    }
  });
}
