/**
 * The button that a browser presses when Enter is pressed in a field. It can be outside of the form, as in dialogs; user-event
 * finds it only inside of the form.
 */
export function submitButtonOf({ form }: HTMLInputElement): HTMLButtonElement {
  const button = [...document.querySelectorAll('button')].find(
    each => each.type === 'submit' && each.form !== null && each.form === form,
  );
  if (!button) throw new Error('no button submits the form of this field');
  return button;
}
