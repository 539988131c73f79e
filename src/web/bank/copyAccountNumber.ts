/** Copies an account number to the clipboard as plain digits; a toast says whether the browser allowed it. */
import * as appMessages from '#contract/messages/app.ts';
import { copyText } from '#web/ui/copyText.ts';

export async function copyAccountNumber(accountNumber: string): Promise<void> {
  await copyText(accountNumber, { copied: appMessages.copied, failed: appMessages.copyFailed });
}
