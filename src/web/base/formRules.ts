/** Asks a contract's schema about a form before anything is sent, so that a rule and its sentence stand in one place. */
import type * as z from 'zod/mini';
import { image } from '#contract/constants.ts';
import * as errorMessages from '#contract/messages/errors.ts';

/** What a person reads at each field that breaks a rule: the first broken rule of each. */
export type FieldErrors = Record<string, string>;

/** The form as the schema reads it (trimmed, in its normal form), or what is wrong with it. Never both. */
export type Checked<Form> = { form: Form; errors?: undefined } | { form?: undefined; errors: FieldErrors };

export function checkForm<S extends z.ZodMiniType>(schema: S, entered: unknown): Checked<z.output<S>> {
  const result = schema.safeParse(entered);
  if (result.success) return { form: result.data };
  const errors: FieldErrors = {};
  for (const { path, message } of result.error.issues) errors[String(path[0] ?? '')] ??= message;
  return { errors };
}

/** Moves the focus to a form's field by its name, where the form has it. */
export function focusField(form: HTMLFormElement | null, name: string | undefined): void {
  const field = form?.elements.namedItem(name ?? '');
  if (field instanceof HTMLElement) field.focus();
}

/** What keeps a picked file from being sent as a picture: its kind or its size. Nothing when it may go. */
export function judgeImage(file: File): string | undefined {
  if (!(image.accepted as readonly string[]).includes(file.type)) return errorMessages.unsupportedType;
  return file.size > image.maxBytes ? errorMessages.tooLarge : undefined;
}
