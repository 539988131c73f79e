/**
 * Copies text to the clipboard and says so in a toast. If the browser refuses, the toast shows the text, but it can't be
 * selected there.
 */
import { copyToast, showToast } from './showToast.ts';

export async function copyText(text: string, said: { copied: string; failed: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    showToast({ title: said.copied, tone: 'success', icon: 'copy', id: copyToast });
  } catch {
    showToast({ title: said.failed, text, tone: 'error', id: copyToast });
  }
}
