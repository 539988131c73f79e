/** Moves the focus to the open dialog, before the button that was pressed in it disappears. */
export const focusDialog = () => document.querySelector<HTMLElement>('[role="dialog"]')?.focus();
