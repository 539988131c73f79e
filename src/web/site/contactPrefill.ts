/**
 * Prefills the contact form from a URL: `?subject=` and `?message=`. Anyone can craft such a URL, so only plain text is
 * accepted, and no more than the form accepts.
 */
import { maxLength } from '#contract/constants.ts';
import type { Letter } from './sendContactMessage.ts';

const unseen = /[\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2028\u2029]|(?!\n)\p{Cc}/gu;

/** The fields that a URL query prefills; empty ones are omitted. */
export function contactPrefill(query: string): Partial<Pick<Letter, 'subject' | 'message'>> {
  const params = new URLSearchParams(query);
  const subject = plain(params.get('subject')?.replace(/\s+/g, ' '), maxLength.subject);
  const message = plain(params.get('message'), maxLength.message);
  return { ...(subject && { subject }), ...(message && { message }) };
}

function plain(text: string | null | undefined, max: number): string | undefined {
  // Truncate first: half of a surrogate pair is then removed with the other invisible characters.
  const kept = text?.trimStart().slice(0, max).replace(unseen, '');
  return kept?.trim() ? kept : undefined;
}
