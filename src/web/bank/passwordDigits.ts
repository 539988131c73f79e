/** Reduces a text to what a numeric password can contain. */
import { password } from '#contract/constants.ts';

/** Only the digits of a text, at most as many as a password may have. */
export function passwordDigits(text: string): string {
  return text.replace(/\D/g, '').slice(0, password.maxDigits);
}
