/**
 * Letters that look like Latin letters, by the Latin letter: a part of Unicode's confusables (UTS 39), and some letters that
 * UTS 39 leaves out. Unlike UTS 39, these tables do not treat `I` and `l` as the same letter.
 */

type Table = Readonly<Record<string, string>>;

/** Maps each letter in the tables to its Latin letter or letters. */
export const invert = (...tables: Table[]): ReadonlyMap<string, string> =>
  new Map(
    tables
      .flatMap(table => Object.entries(table))
      .flatMap(([latin, letters]) => Array.from(letters, letter => [letter, latin] as const)),
  );

/** A name that consists only of such letters could be a Latin name. Few ordinary names in other scripts do. */
const inAnyName: Table = {
  a: 'АаΑαᴀɑꓮᎪꭺⲀⲁ𐌀𐊠ᗅ',
  b: 'ВΒʙꓐᏴᏼᏏꮟⲂⲃ𐌁𐊂𐊡ᗷᑲⴱ',
  c: 'СсϲϹᴄꓚᏟꮯⲤⲥ𐌂𐊢𐐕𐐽𐔜',
  d: 'ԁᴅꓓꓒᎠꭰᏧꮷᗞᗪᑯ',
  e: 'ЕеΕᴇꓰᎬꭼⲈⲉ𐌄𐊆ⴹᥱ',
  f: 'ϜꜰꓝҒ𐊇𐊥𐔥ᖴք',
  g: 'ɡɢԌꓖᏀꮐᏳᏻց',
  h: 'НһΗʜꓧᎻꮋᏂꮒⲎ𐋏ᕼհ',
  i: 'ІіΙιɪꙆꙇӀꓲᏆꮖᎥꭵⲒⲓ𐌉ⵊ',
  j: 'ЈјϳͿᴊꓙᎫꭻᒍ',
  k: 'КкΚκᴋꓗᏦꮶⲔⲕ𐌊ᛕ',
  l: 'ӏʟꓡᏞꮮⳐԼᒪ𐐛',
  m: 'МΜᴍꓟᎷꮇⲘⲙ𐌌𐊰ᗰ',
  n: 'ΝɴꓠⲚⲛ𐌍ոռ𐔓',
  o: 'ОоΟοᴏꓳᎾꮎⲞⲟ𐌏𐊒𐊫𐐄𐐬𐔖Օօⵔ',
  p: 'РрΡρᴘꓑᏢꮲⲢⲣ𐌐𐊕ᑭ',
  q: 'ԚԛꞯզⵕႳ',
  r: 'ʀꓣᎡꭱᏒꮢ𐌓ᖇ',
  s: 'ЅѕꜱꓢᏚꮪᏕꮥՏ𐊖𐐠𐑈',
  t: 'ТΤᴛꓔᎢꭲⲦⲧ𐌕𐊗𐊱',
  u: 'υᴜꓴሀՍսᑌ',
  v: 'ѴѵνᴠꓦᏙꮩᏤꮴ𐌖ᐯⴸ𐔝',
  w: 'ԜԝᴡꓪᎳꮃᏔꮤѡѠ',
  x: 'ХхΧꓫⲬⲭ𐌗𐊐𐊴ᕁᕽⵝ𐔧',
  y: 'УуҮΥγϒʏꓬᎽꮍᎩꭹⲨⲩ𐊲',
  z: 'ΖᴢꓜᏃꮓ',
};

/** Letters of ordinary names in their own scripts. They are read as Latin only in a word that also has Latin letters. */
const inMixedWords: Table = {
  a: 'Λ',
  b: 'ЬьБбвβ',
  d: 'дδΔ',
  e: 'эЭєЄεЗзәӘ',
  f: 'φ',
  h: 'нЧч',
  j: 'յ',
  k: 'Ққ',
  l: 'λлЛլ',
  m: 'м',
  n: 'ИиПпηπΠնղ',
  o: 'ΘθσФф',
  q: 'գ',
  r: 'ГгЯяրᒥ',
  t: 'тτէե',
  u: 'μЦцՈ',
  v: 'վ',
  w: 'ШшЩщωΩա',
  x: 'χжЖ',
  y: 'ұҰψ',
  z: 'ζ',
};

export const lookAlikes = invert(inAnyName);
export const lookAlikesInMixedWords = invert(inMixedWords, inAnyName);
