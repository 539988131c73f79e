/** Moves the focus to the first empty box of the code (`CodeBoxes`) in this form. */
export const focusEmptyBox = (form: HTMLFormElement | null) =>
  form?.querySelector<HTMLInputElement>('input[value=""]')?.focus();
