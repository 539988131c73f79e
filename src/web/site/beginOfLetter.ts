/**
 * What an address may write into the letter to the Help Desk: `?subject=` and `?message=`. Anybody can make such an
 * address, so only plain text comes through, and no more than the form would take.
 */
import { maxLength } from '#contract/constants.ts';
import type { Letter } from './sendLetter.ts';

const unseen = /[\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029]|(?!\n)\p{Cc}/gu;

/** The parts of a letter that an address's query begins; a part that holds nothing is left out. */
export function beginOfLetter(query: string): Partial<Pick<Letter, 'subject' | 'message'>> {
  const asked = new URLSearchParams(query);
  const subject = plain(asked.get('subject')?.replace(/\s+/g, ' '), maxLength.subject);
  const message = plain(asked.get('message'), maxLength.message);
  return { ...(subject && { subject }), ...(message && { message }) };
}

function plain(text: string | null | undefined, max: number): string | undefined {
  // Cut first: a character that is cut in two is taken out with the others that cannot be seen.
  const kept = text?.trimStart().slice(0, max).replace(unseen, '');
  return kept?.trim() ? kept : undefined;
}
