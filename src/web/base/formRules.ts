/** Validates a form against its contract schema before anything is sent, so that each rule and message exists only once. */
import type * as z from 'zod/mini';
import { image } from '#contract/constants.ts';
import * as errorMessages from '#contract/messages/errors.ts';

/** The message for each field that breaks a rule: the first broken rule per field. */
export type FieldErrors = Record<string, string>;

/** The form as the schema parsed it (trimmed, normalized), or the errors by field. Never both. */
export type Checked<Form> = { form: Form; errors?: undefined } | { form?: undefined; errors: FieldErrors };

export function checkForm<S extends z.ZodMiniType>(schema: S, entered: unknown): Checked<z.output<S>> {
  const result = schema.safeParse(entered);
  if (result.success) return { form: result.data };
  const errors: FieldErrors = {};
  for (const { path, message } of result.error.issues) errors[path.join('.')] ??= message;
  return { errors };
}

/** Whether two states of a form are different. */
export const differ = (form: object, other: object): boolean =>
  JSON.stringify(form) !== JSON.stringify(other);

type Fields = Record<string, unknown>;

/**
 * Whether a field that `body` changes still has its value from before. Leave out what the bank changes by itself, such as the
 * next date of a rule. An absent field is null.
 */
export const isUnchanged = (body: Fields, before: Fields, now: Fields): boolean =>
  Object.entries(body).some(([name, value]) => {
    const [sent, old, current] = [value, before[name], now[name]].map(one => JSON.stringify(one ?? null));
    return sent !== old && current === old;
  });

/** Removes the errors of the edited fields, because the edit may have corrected them. */
export function errorsWithout(errors: FieldErrors, edited: object): FieldErrors {
  return Object.fromEntries(Object.entries(errors).filter(([name]) => !(name in edited)));
}

/** Focuses the form's first field that has the name or one of the names. Does nothing if there is none. */
export function focusField(form: HTMLFormElement | null, name: string | readonly string[] | undefined): void {
  const names = [name].flat();
  const field = [...(form?.elements ?? [])].find(one => names.includes(one.getAttribute('name') ?? ''));
  if (field instanceof HTMLElement) field.focus();
}

/** Why a picked file cannot be sent as a picture: its type or its size. Undefined if it can be sent. */
export function checkImage(file: File): string | undefined {
  if (!(image.accepted as readonly string[]).includes(file.type)) return errorMessages.unsupportedType;
  return file.size > image.maxBytes ? errorMessages.tooLarge : undefined;
}
