/** Finds names that mix alphabets: letters of another alphabet can look exactly like those of a well-known name. */
import { bank } from '#contract/constants.ts';

/** Scripts that people write together in one name. */
const eastAsian =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Script=Bopomofo}/u;
/** Letters without a script of their own, such as a modifier apostrophe. */
const shared = /\p{Script=Common}|\p{Script=Inherited}/u;
/**
 * The scripts that are named: those in wide modern use (UAX #31, table 5), and those with letters in `lookAlikes.ts` of the
 * server. All others count as one.
 */
const named = [
  'Latin',
  'Cyrillic',
  'Greek',
  'Armenian',
  'Georgian',
  'Hebrew',
  'Arabic',
  'Thaana',
  'Ethiopic',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
  'Tamil',
  'Telugu',
  'Kannada',
  'Malayalam',
  'Sinhala',
  'Thai',
  'Lao',
  'Khmer',
  'Myanmar',
  'Tibetan',
  'Cherokee',
  'Coptic',
  'Lisu',
  'Tifinagh',
].map(name => ({ name, letter: new RegExp(`\\p{Script=${name}}`, 'u') }));

const scriptOf = (letter: string) =>
  eastAsian.test(letter) ? 'East Asian' : named.find(script => script.letter.test(letter))?.name;

/** The alphabets of a name that mixes several, as in `Latin and Cyrillic`; undefined for any other name. */
export function mixedScripts(name: string): string | undefined {
  const letters = (name.match(/\p{L}/gu) ?? []).filter(letter => !shared.test(letter));
  const scripts = [...new Set(letters.map(letter => scriptOf(letter) ?? 'another'))];
  // The order of the alphabets in the name says nothing; a reader expects Latin first.
  const ordered = scripts.sort((a, b) => Number(b === 'Latin') - Number(a === 'Latin'));
  return scripts.length > 1 ? new Intl.ListFormat(bank.locale).format(ordered) : undefined;
}
