/** Where the focus goes in an open dialog. */
import { isOutOfDate } from '#web/base/callError.ts';

/** The outermost open dialog. */
export const outermostDialog = () => document.querySelector<HTMLElement>('[role="dialog"]');

/**
 * Moves the focus to the open dialog, before the button that was pressed in it disappears: the act succeeded, or a colleague
 * acted first.
 */
export function focusDialogAfter({ data, error }: { data?: unknown; error?: unknown }): void {
  if (data || isOutOfDate(error)) outermostDialog()?.focus();
}
