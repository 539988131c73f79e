/** The outermost open dialog. */
export const outermostDialog = () => document.querySelector<HTMLElement>('[role="dialog"]');

/** Moves the focus to the open dialog, before the button that was pressed in it disappears. */
export const focusDialog = () => outermostDialog()?.focus();
