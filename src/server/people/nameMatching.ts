/**
 * Compares names of people for sanctions screening. Case, accents, punctuation and the order of words are ignored. Words are
 * compared by the Jaro-Winkler similarity, so that other spellings of a name match too. Letters of other scripts and digits
 * that look like Latin letters do not hide a name.
 */
import { invert, lookAlikes, lookAlikesInMixedWords } from './lookAlikes.ts';

/** Latin letters in lower case that Unicode does not decompose into a base letter and an accent. */
const letters = invert({
  a: 'ᶏⱥꬱɐɒᶐꞻ',
  ae: 'æᴁᴂ',
  b: 'ɓƀƃᵬᶀꞗᴃ',
  c: 'ȼƈɕꞓꞔↄʗ',
  d: 'đðɖɗƌȡᵭᶁᶑꟈᴆꝺ',
  e: 'ɇɛəǝᶒⱸꬴꬳꬲɘɜɝᶓᶔɚᶕɞʚⱻᴈ',
  f: 'ƒᵮᶂꞙꬵꝼ',
  g: 'ɠǥʛᶃꞡꬶᵹꟑᵷ',
  h: 'ħɦⱨꞕɥⱶɧꜧ',
  i: 'ıɨɩꟾᵻᶖᵼᴉ',
  j: 'ɉȷʝɟʄ',
  k: 'ƙᶄⱪꝁꝃꝅꞣʞĸ',
  l: 'łƚɫɬɭȴᶅⱡꝉꞎꬷꬸꬹᴌꝇꞁ',
  m: 'ɱᵯᶆꬺɯɰᴟ',
  n: 'ɲɳƞŋȵᵰᶇꞑꞥꬻꬼᴎ',
  o: 'øɵⱺꝋꝍꬽꬾɔᴐᶗꬿᴑᴓ',
  oe: 'œɶᴔꭀꭁꭂ',
  p: 'ƥᵱᵽᶈꝑꝓꝕ',
  q: 'ɋʠꝗꝙ',
  r: 'ɍɽɾɼᵲᵳᶉꞧꭆꭇꭈꭉꭊꭋꭌꭅꝛɹɺɻᴚⱹʁɿᴙꞃ',
  s: 'ʂȿᵴᶊꞩꟊꟗꟙẜẝꞅƨʃ',
  ss: 'ß',
  t: 'ŧƭʈⱦƫȶᵵʇꞇ',
  th: 'þᵺꝥꝧ',
  u: 'ʉᵾᶙꞹꭎꭒꭏʊᵿᴝꞿ',
  v: 'ʋᶌⱱⱴꝟỽʌ',
  w: 'ⱳʍꟃ',
  x: 'ᶍꭖꭗꭘꭙꭓꭔꭕ',
  y: 'ƴɏỿꭚʎ',
  z: 'ƶȥʐɀʑᵶᶎⱬꝣʒ',
});

/**
 * Azerbaijani letters, with the letters of English spellings. Only a word with `ə` is certain to be Azerbaijani; most such
 * names have one.
 */
const azerbaijani = invert({ a: 'əƏ', ch: 'çÇ', g: 'qQ', j: 'cC', kh: 'xX', sh: 'şŞ' });

const fromAzerbaijani = (name: string) =>
  name.normalize('NFC').replace(/\p{L}*ə\p{L}*/giu, word => toLatin(word, azerbaijani));

const toLatin = (word: string, table: ReadonlyMap<string, string>) =>
  Array.from(word, letter => table.get(letter) ?? letter).join('');

/** White letters on black circles or squares, and the letters that make flags, in runs from A to Z. */
const pictured = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu;
const firstPictured = [0x1f1e6, 0x1f170, 0x1f150];

function fromPicture(picture: string): string {
  const point = picture.codePointAt(0)!;
  return String.fromCharCode(97 + point - firstPictured.find(first => first <= point)!);
}

/** Removes accents and invisible marks. Full-width and pictured letters become ordinary ones. */
const plain = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}'’ʼ`]/gu, '')
    .replace(pictured, fromPicture);

/**
 * The words of a name in lower case, without accents and punctuation, separated by spaces: `Núñez, José` is `jose nunez`. In a
 * word that mixes Latin with other letters, letters that look like Latin ones become Latin.
 */
export function foldName(name: string): string {
  return plain(name.replace(/^([^,]+),([^,]+)$/, '$2 $1'))
    .replace(/\p{L}+/gu, word =>
      /\p{Script=Latin}/u.test(word) ? toLatin(word, lookAlikesInMixedWords) : word,
    )
    .toLowerCase()
    .replace(/[^\p{ASCII}]/gu, letter => letters.get(letter) ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * The forms in which a name is compared: the folded name and, if every letter looks like a Latin one, also the Latin name that
 * it looks like. So `Роре` in Cyrillic letters is also `pope`. Any other Cyrillic or Greek name is compared only as written. An
 * Azerbaijani name also has its English spelling: `Rəşid` is `resid` and `rashid`.
 */
export function foldsOf(name: string): string[] {
  const seen = toLatin(plain(fromAzerbaijani(name)), lookAlikes);
  const isLatin = !/(?!\p{Script=Latin})\p{L}/u.test(seen);
  return [...new Set([foldName(name), ...(isLatin ? [foldName(seen)] : [])])];
}

/** Digits in a word with letters, each with the letters that it may stand for. */
const digitLetters = ['oo', 'il', '22', 'ee', 'aa', 'ss', 'bb', 'tt', 'bb', 'gg'];

/** The forms in which a customer's name is compared with a list: also those in which digits are read as letters. */
export const readingsOf = (name: string): string[] => [
  ...new Set(foldsOf(name).flatMap(fold => [fold, ...readDigits(fold)])),
];

/** The forms of a name in Latin letters, or all forms if none is. Digits in words are read as letters, in both ways. */
export function latinReadingsOf(name: string): string[] {
  const folds = foldsOf(name);
  const latin = folds.filter(fold => !/[^\p{ASCII}]/u.test(fold));
  return [...new Set((latin.length > 0 ? latin : folds).flatMap(readDigits))];
}

const readDigits = (fold: string) => [withoutDigits(fold, 0), withoutDigits(fold, 1)];

const withoutDigits = (fold: string, reading: number) =>
  fold.replace(/\S+/g, word =>
    /\p{L}/u.test(word) ? word.replace(/[0-9]/g, digit => digitLetters[Number(digit)]![reading]!) : word,
  );

/** Neighboring words of at most three letters or digits, and what is between them. */
const shortWords = /(?<![\p{L}\p{N}])[\p{L}\p{N}]{1,3}(?:[^\p{L}\p{N}]+[\p{L}\p{N}]{1,3})+(?![\p{L}\p{N}])/gu;
const between = /[^\p{L}\p{N}]+/u;

/**
 * Writes neighboring short words together, because a name may be split into pieces: `P e.t rov` becomes `Petrov`. Two short
 * words (`Mei Lin`) are an ordinary name and stay apart, unless one is a single letter.
 */
export function joinPieces(name: string): string {
  const text = plain(name);
  const joined = text.replace(shortWords, words => {
    const pieces = words.split(between);
    return pieces.length > 2 || pieces.some(({ length }) => length === 1) ? pieces.join('') : words;
  });
  return joined === text ? name : joined;
}

/** If two paired words are less alike than this, only the names as a whole are compared, however alike the other words are. */
const leastAlike = 0.75;

/**
 * How similar a customer's folded name and a listed one are, from 0 to 1. Each word of the shorter name is paired with a word
 * of the longer one, so a middle name on one side does not count. Names are also compared as a whole, because they may be split
 * into words differently. A listed name is also compared with each word of the customer's, because first and last name may be
 * in one field.
 */
export function compareNames(own: string, listed: string): number {
  const [ownWords, listedWords] = [own.split(' '), listed.split(' ')];
  const [ownJoined, joined] = [ownWords.join(''), listedWords.join('')];
  const whole = Math.max(
    compareWords(ownJoined, joined),
    ...ownWords.map(word => compareToWord(word, joined, listedWords)),
    isReordered(ownJoined, listedWords) || isListedTogether(ownWords, joined) ? 1 : 0,
  );
  const [short, long] = [ownWords, listedWords].sort((a, b) => a.length - b.length) as [string[], string[]];
  // Many people share a listed one-word name, so it matches a name of more words only if the letters are the same. A customer
  // always has a first and a last name, so a single folded word has the letters of both.
  if (listedWords.length === 1 && ownWords.length > 1) return whole === 1 ? 1 : 0;
  if (short.length < 2) return whole;
  const left = [...long];
  let alike = 0;
  let length = 0;
  for (const word of short.toSorted((a, b) => b.length - a.length)) {
    const scores = left.map(candidate => compareWords(word, candidate));
    const best = Math.max(...scores);
    if (best < leastAlike) return whole;
    const [paired] = left.splice(scores.indexOf(best), 1);
    const weight = Math.max(word.length, paired!.length);
    alike += best * weight;
    length += weight;
  }
  return Math.max(whole, alike / length);
}

/** A word of fewer letters may be an ordinary name that resembles two short names together. */
const fewestJoined = 8;

/** The ways to move the first words of a listed name to its end. */
const reorder = (listed: string[]) =>
  listed.slice(1).map((_, i) => [listed.slice(i + 1).join(''), listed.slice(0, i + 1).join('')] as const);

const isReordered = (joined: string, listed: string[]) =>
  joined.length >= fewestJoined && reorder(listed).some(([last, first]) => last + first === joined);

const writtenTogether = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Whether a word is Chinese, Japanese or Korean. Such names are often listed without a space: `김정은`. */
export const isWrittenTogether = (word: string) => writtenTogether.test(word);

/**
 * Whether words of a customer's name, written together in any order, are a listed Chinese, Japanese or Korean name. Two letters
 * (`李明`) may be a given name, so a single word must have more.
 */
const isListedTogether = (own: string[], listed: string) =>
  isWrittenTogether(listed) &&
  consistsOf(
    listed,
    own.filter(word => word !== listed || word.normalize('NFC').length > 2),
  );

const consistsOf = (text: string, words: string[]): boolean =>
  text === '' ||
  words.some(
    (word, i) =>
      // Tries equal words once, because they have too many orders to try them all.
      words.indexOf(word) === i &&
      text.startsWith(word) &&
      consistsOf(text.slice(word.length), words.toSpliced(i, 1)),
  );

/** How similar a word of a customer's name is to a listed name, joined as listed or with its first words moved to the end. */
function compareToWord(word: string, joined: string, listed: string[]): number {
  const longer = Math.abs(word.length - joined.length);
  if (listed.length === 1 || joined.length < fewestJoined || longer > 2) return 0;
  const straight = compareWords(word, joined);
  if (longer > 1) return straight;
  // Compares the two parts separately: compared as a whole, too many names are similar, such as `petrivanov` and `petrovivan`.
  const reordered = reorder(listed).flatMap(([last, first]) =>
    [last.length, word.length - first.length].map(end => {
      const [begins, ends] = [compareWords(word.slice(0, end), last), compareWords(word.slice(end), first)];
      const isAlike = Math.min(begins, ends) >= leastAlike;
      return isAlike ? (begins * last.length + ends * first.length) / joined.length : 0;
    }),
  );
  return Math.max(straight, ...reordered);
}

/** The Jaro-Winkler similarity of two words (Winkler 1990), from 0 to 1. */
export function compareWords(one: string, other: string): number {
  if (one === other) return 1;
  const [a, b] = [Array.from(one), Array.from(other)];
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  const matchedB = new Set<number>();
  const commonA: string[] = [];
  a.forEach((letter, at) => {
    for (let i = Math.max(0, at - reach); i <= Math.min(b.length - 1, at + reach); i++) {
      if (b[i] !== letter || matchedB.has(i)) continue;
      matchedB.add(i);
      commonA.push(letter);
      return;
    }
  });
  const common = commonA.length;
  if (common === 0) return 0;
  const commonB = b.filter((_, i) => matchedB.has(i));
  const swapped = commonA.filter((letter, i) => letter !== commonB[i]).length / 2;
  const jaro = (common / a.length + common / b.length + (common - swapped) / common) / 3;
  let prefix = 0;
  while (prefix < 4 && a[prefix] !== undefined && a[prefix] === b[prefix]) prefix++;
  return jaro + prefix * 0.1 * (1 - jaro);
}
