/** The dialog that was opened first. */
export const openedDialog = () => document.querySelector<HTMLElement>('[role="dialog"]');

/** Moves the focus to the open dialog, before the button that was pressed in it disappears. */
export const focusDialog = () => openedDialog()?.focus();
