/** Checks for every journey: no console errors, no policy violations, no accessibility violations found by axe. */
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';

/** Minified: injecting the whole source takes longer than most checks. */
const axeSource = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/**
 * Collects console errors and uncaught exceptions of a page from now on. Call the returned function at the end of the journey:
 * it asserts that there were exactly the expected errors, each given by a part of its text, in order.
 */
export function collectErrors(page: Page): (...expected: string[]) => void {
  const errors: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error') errors.push(message.text());
  });
  page.on('pageerror', error => errors.push(String(error)));
  return (...expected) => expect(errors).toEqual(expected.map(part => expect.stringContaining(part)));
}

/** Asserts WCAG 2.2 A and AA on the page in its current state. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(page, {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  });
}

/** `expectAccessible`, and the contrast in the other color scheme; leaves the page in that scheme. */
export async function expectAccessibleInBothSchemes(page: Page): Promise<void> {
  await expectAccessible(page);
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  await page.emulateMedia({ colorScheme: isDark ? 'light' : 'dark' });
  await expectNoViolations(page, { type: 'rule', values: ['color-contrast'] });
}

/** `expectAccessibleInBothSchemes`, and asserts that the page is no wider than the screen. */
export async function expectAccessibleAndFitting(page: Page): Promise<void> {
  await expectAccessibleInBothSchemes(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
}

async function expectNoViolations(page: Page, runOnly: axe.RunOnly): Promise<void> {
  // Injected once per document and run in it, because axe's Playwright package opens another page for every check.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  for (;;) {
    await waitForAnimations(page);
    const { found, wasBusy } = await findViolations(page, runOnly);
    if (found.length > 0 && wasBusy) continue;
    expect(found).toEqual([]);
    break;
  }
  // axe does not check frames.
  expect(page.frames()).toHaveLength(1);
}

/** `wasBusy`: a table was refetching its rows. The table is dimmed while it waits, which changes the contrast. */
function findViolations(page: Page, runOnly: axe.RunOnly): Promise<{ found: string[]; wasBusy: boolean }> {
  return page.evaluate(async chosen => {
    let wasBusy = document.querySelector('table[aria-busy]') !== null;
    const observer = new MutationObserver(() => {
      wasBusy = true;
    });
    observer.observe(document, { subtree: true, attributeFilter: ['aria-busy'] });
    const results: Promise<axe.AxeResults> = (window as unknown as { axe: typeof axe }).axe.run(document, {
      runOnly: chosen,
      resultTypes: ['violations'],
    });
    const { violations } = await results;
    observer.disconnect();
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
    );
    return { found, wasBusy };
  }, runOnly);
}

/**
 * Waits for tables that refetch their rows, and for finite animations and transitions, because axe would measure colors in the
 * middle of a transition. An element that inherits a color starts its transition when its ancestor's ends, so this waits for
 * two frames without animations. On a busy machine, a dialog's transition can begin or finish late. Base UI marks the dialog
 * with an attribute until the transition has finished, so this also waits for the attribute to disappear.
 */
async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let stillFrames = 0; stillFrames < 2; ) {
      await new Promise(requestAnimationFrame);
      const moving = document
        .getAnimations()
        .filter(
          animation =>
            animation.playState === 'running' &&
            animation.effect?.getComputedTiming().iterations !== Infinity,
        );
      await Promise.allSettled(moving.map(animation => animation.finished));
      const isChanging =
        document.querySelector('[data-starting-style], [data-ending-style], table[aria-busy]') !== null;
      stillFrames = moving.length === 0 && !isChanging ? stillFrames + 1 : 0;
    }
  });
}
