/** Copies an account number as plain digits, or shares the account's details. A toast says whether copying worked. */
import { bank } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';
import { fill } from '#contract/messages/fill.ts';
import { copyText } from '#web/ui/copyText.ts';
import * as words from './words.ts';

export async function copyAccountNumber(accountNumber: string): Promise<void> {
  await copyText(accountNumber, { copied: appMessages.copied, failed: appMessages.copyFailed });
}

type AccountDetails = { name: string; routingNumber: string; accountNumber: string };

/**
 * Shares what any payer needs, even one at another bank: bank, holder, routing and account number. Opens the device's share
 * dialog if it has one that works. Otherwise copies the text.
 */
export async function shareAccountDetails({
  name,
  routingNumber,
  accountNumber,
}: AccountDetails): Promise<void> {
  const text = [
    bank.name,
    fill(words.accountHolder, { name }),
    fill(words.numberOfRouting, { number: routingNumber }),
    fill(words.numberOfAccount, { number: accountNumber }),
  ].join('\n');
  if ('share' in navigator) {
    try {
      return await navigator.share({ text });
    } catch (error) {
      // A customer who closes the share dialog wants nothing copied either.
      if ((error as DOMException).name === 'AbortError') return;
    }
  }
  await copyText(text, { copied: words.detailsCopied, failed: words.detailsCopyFailed });
}
