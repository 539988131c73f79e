/** Writes texts for the rail's files so that every bank can read them, and reads texts, ids and amounts of other banks. */
import { unprintable } from '#contract/fields.ts';
import { RailFileError } from './rail.ts';

const replacements: Readonly<Record<string, string>> = {
  ß: 'ss',
  Æ: 'AE',
  æ: 'ae',
  Ø: 'O',
  ø: 'o',
  Œ: 'OE',
  œ: 'oe',
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  ı: 'i',
  '’': "'",
  '‘': "'",
  '–': '-',
  '—': '-',
  '&': '+',
};

/**
 * The text in the characters that SWIFT calls set X. Accents are dropped, and a period replaces each character without an
 * equivalent. Spaces in a row become one, as readers make them. At most `most` characters.
 */
export function plainText(text: string, most: number): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|&/gu, one => replacements[one] ?? '.')
    .replace(/[^A-Za-z0-9/?:().,'+ -]/g, '.')
    .replace(/ {2,}/g, ' ')
    .slice(0, most)
    .trim();
}

/** The name, spelled by `spell`, or 'Unknown' if nothing is left of it: banks refuse a file in which a name is missing. */
export const nameText = (name: string, most: number, spell = plainText): string =>
  spell(name, most) || 'Unknown';

const unprintables = new RegExp(unprintable, 'gu');

/**
 * What another bank wrote, as one line of at most `most` characters that every text field accepts. An emoji that is cut at the
 * end is dropped: PostgreSQL refuses JSON with half of one. Normalizing a run of combining marks takes time that grows with
 * the square of its length, so the text is first cut to four times `most`: at most four characters become one.
 */
export const readableText = (text: string, most: number): string =>
  text
    .replace(/\s+/g, ' ')
    .slice(0, 4 * most)
    .normalize()
    .slice(0, most)
    .replace(unprintables, '')
    .trim();

/** Refuses an id that is too long for an index of the database, or that `readableText` would change. */
export function checkId(id: string, most: number): string {
  if (id.length > most || readableText(id, most) !== id)
    throw new RailFileError(`${readableText(id, most)} is not an id of at most ${most} characters.`);
  return id;
}

/** The cents of a decimal number with up to five decimals. Fractions of a cent are refused. */
export function textToCents(text: string): bigint {
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{0,5}))?$/.exec(text) ?? [];
  if (whole === undefined || /[1-9]/.test(fraction.slice(2)))
    throw new RailFileError(`${text.slice(0, 40)} is not an amount.`);
  return BigInt(whole) * 100n + BigInt(fraction.slice(0, 2).padEnd(2, '0'));
}
