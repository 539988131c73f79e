/** Puts an account number into the clipboard, plain digits, and says so; or says that the browser did not allow it. */
import * as appMessages from '#contract/messages/app.ts';
import { copyText } from '#web/ui/copyText.ts';

export async function copyAccountNumber(accountNumber: string): Promise<void> {
  await copyText(accountNumber, { copied: appMessages.copied, failed: appMessages.copyFailed });
}
