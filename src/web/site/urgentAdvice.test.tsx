/** What the questions and articles advise a customer to do first if someone else may be using the account. */
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { MemoryRouter } from '../../../tests/memoryRouter.tsx';
import { ArticleScreen } from './ArticleScreen.tsx';
import { ContactScreen } from './ContactScreen.tsx';
import { text as wrongTransfer } from './content/articles/after-a-wrong-transfer.ts';
import { text as call } from './content/articles/the-call-from-your-bank.ts';

/** Freezing, in the app and from a mail, and the number to call. */
function expectFreezeAndNumber(advice: HTMLElement) {
  expect(advice.textContent).toMatch(/freeze your account.*Settings, Security.*link.*emails/i);
  expect(advice.querySelector('a[href="tel:+12125550142"]')?.textContent).toBe('(212) 555-0142');
}

test('a customer whose phone was taken, who sees an unknown payment or who gave a code to a caller reads how to freeze the account, and the number to call [P-20, BR-50]', () => {
  const { unmount } = render(<ContactScreen />, { wrapper: MemoryRouter });
  for (const ask of [/Someone has my phone, or I see a payment/, /Someone called me/])
    expectFreezeAndNumber(screen.getByRole('heading', { name: ask }).parentElement!);
  unmount();
  for (const [slug, text] of [
    ['the-call-from-your-bank', call],
    ['after-a-wrong-transfer', wrongTransfer],
  ] as const) {
    const article = render(<ArticleScreen slug={slug} text={text} />, { wrapper: MemoryRouter });
    expectFreezeAndNumber(article.container);
    article.unmount();
  }
});
