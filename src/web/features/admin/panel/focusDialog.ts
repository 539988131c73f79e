/** Where the focus goes in an open dialog, and whether it may be moved. */
import { isOutOfDate } from '#web/base/callError.ts';

/** For `finalFocus`: the outermost open dialog; if none is open, `true`, which means the dialog's own default. */
export const outerDialog = () => document.querySelector<HTMLElement>('[role="dialog"]') ?? true;

/**
 * Moves the focus to the outermost dialog if the button that was pressed in it is about to disappear: if the act succeeded or a
 * colleague acted first.
 */
export function focusDialogAfter({ data, error }: { data?: unknown; error?: unknown }): void {
  if (data || isOutOfDate(error)) document.querySelector<HTMLElement>('[role="dialog"]')?.focus();
}

/** Whether the focus is in `place` or nowhere. If not, a dialog was opened or another field was entered in the meantime. */
export const isFocusFree = (place: Element | null): boolean =>
  document.activeElement === document.body || place?.contains(document.activeElement) === true;
