/**
 * Compares names of people for sanctions screening. Case, accents, punctuation and the order of words are ignored. Words are
 * compared by the Jaro-Winkler similarity, so that other spellings of a name match too. Cyrillic and Greek letters that look
 * like Latin ones do not hide a name.
 */

/** Letters that Unicode does not decompose into a base letter and an accent. */
const letters: Readonly<Record<string, string>> = {
  æ: 'ae',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  œ: 'oe',
  ß: 'ss',
  þ: 'th',
};

/**
 * Cyrillic and Greek letters, small capitals and phonetic letters, each with the Latin letter that it looks like (a part of
 * Unicode's confusables, UTS 39).
 */
const lookAlikes = new Map(
  [
    ['АВЕНІЈКМОРЅСТУХҮԚԜаеһіјкорѕсухԁԛԝӏѵ', 'ABEHIJKMOPSCTYXYQWaehijkopscyxdqwlv'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορςυϳ', 'ABEZHIKMNOPTYXayikvopcuj'],
    ['ᴀɑʙᴄᴅᴇꜰɢɡʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'aabcdefgghijklmnoprstuvwyz'],
  ].flatMap(([from, to]) => Array.from(from!, (letter, at) => [letter, to![at]!] as const)),
);

const toLatin = (word: string) => Array.from(word, letter => lookAlikes.get(letter) ?? letter).join('');

/** Removes accents and invisible marks. Full-width letters become ordinary ones. */
const plain = (name: string) => name.normalize('NFKD').replace(/[\p{M}\p{Cf}'’ʼ`]/gu, '');

/**
 * The words of a name in lower case, without accents and punctuation, separated by spaces: `Núñez, José` is `jose nunez`. In a
 * word that mixes Latin with other letters, letters that look like Latin ones become Latin.
 */
export function foldName(name: string): string {
  return plain(name.replace(/^([^,]+),([^,]+)$/, '$2 $1'))
    .replace(/\p{L}+/gu, word => (/\p{Script=Latin}/u.test(word) ? toLatin(word) : word))
    .toLowerCase()
    .replace(/[æđðħıłøœßþ]/g, letter => letters[letter]!)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/**
 * The forms in which a name is compared: the folded name and, if every letter looks like a Latin one, also the Latin name that
 * it looks like. So `Роре` in Cyrillic letters is also `pope`. Any other Cyrillic or Greek name is compared only as written.
 */
export function foldsOf(name: string): string[] {
  const seen = toLatin(plain(name));
  const isLatin = !/(?!\p{Script=Latin})\p{L}/u.test(seen);
  return [...new Set([foldName(name), ...(isLatin ? [foldName(seen)] : [])])];
}

/** If two paired words are less alike than this, only the names as a whole are compared, however alike the other words are. */
const leastAlike = 0.75;

/**
 * How similar two folded names are, from 0 to 1. Each word of the shorter name is paired with a word of the longer one, so a
 * middle name on one side does not count. Names are also compared as a whole, because they may be split into words differently.
 */
export function compareNames(one: string, other: string): number {
  const whole = compareWords(one.replaceAll(' ', ''), other.replaceAll(' ', ''));
  const [short, long] = [one.split(' '), other.split(' ')].sort((a, b) => a.length - b.length) as [
    string[],
    string[],
  ];
  // Many people share a one-word name, so it matches a name of more words only if the letters are the same.
  if (short.length < 2) return long.length < 2 ? whole : whole === 1 ? 1 : 0;
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
