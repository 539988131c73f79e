/** Puts an account number into the clipboard, plain digits, and says so; or says that the browser did not allow it. */
import { messages } from '#contract/messages.ts';
import { showToast } from './showToast.ts';

export async function copyAccountNumber(accountNumber: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(accountNumber);
    showToast({ title: messages.app.copied, tone: 'success', icon: 'copy', id: 'copied' });
  } catch {
    showToast({ title: messages.app.copyFailed, text: accountNumber, tone: 'error', id: 'copied' });
  }
}
