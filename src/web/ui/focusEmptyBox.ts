/** Moves the focus to the first empty box of the code (`CodeBoxes`) in this form, or to its first box if none is empty. */
export const focusEmptyBox = (form: HTMLFormElement | null) =>
  (form?.querySelector<HTMLInputElement>('input[value=""]') ?? form?.querySelector('input'))?.focus();
