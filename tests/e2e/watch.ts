/** What every journey checks beside its own story: no console error, no policy violation, nothing axe finds. */
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Collects what goes wrong on a page from now on; call the result at the end of the journey. */
export function watchPage(page: Page): () => void {
  const wrong: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error') wrong.push(message.text());
  });
  page.on('pageerror', error => wrong.push(String(error)));
  return () => expect(wrong).toEqual([]);
}

/** WCAG 2.2 A and AA on the page as it stands. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
    .analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target.join(' ')).join(', ')}`),
  ).toEqual([]);
}
