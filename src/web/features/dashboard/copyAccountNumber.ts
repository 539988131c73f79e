/** Puts an account number into the clipboard, plain digits, and says so. */
import { messages } from '#contract/messages.ts';
import { showToast } from '#web/ui/showToast.ts';

export async function copyAccountNumber(accountNumber: string): Promise<void> {
  await navigator.clipboard.writeText(accountNumber);
  sayCopied();
}

/** For a button that copies by itself. */
export function sayCopied(): void {
  showToast({ title: messages.app.copied, tone: 'success', icon: 'copy', id: 'copied' });
}
