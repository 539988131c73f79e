/** Which names mix alphabets, and which only look foreign. */
import { expect, test } from 'vitest';
import { mixedScripts } from './mixedScripts.ts';

test.each([
  ['Vіktоr Pеtrоv', 'Latin and Cyrillic'],
  ['Виктор Petrov', 'Latin and Cyrillic'],
  ['Αnna Маrie', 'Latin, Greek, and Cyrillic'],
  ['Ma𐌓ia', 'Latin and another'],
  ['தமிழ் తెలుగు', 'Tamil and Telugu'],
])('staff are told that the name %s mixes letters of alphabets: %s [SX-15]', (name, alphabets) => {
  expect(mixedScripts(name)).toBe(alphabets);
});

test.each([
  'Viktor Petrov',
  'José Núñez-O’Brien',
  'Виктор Петров',
  '山田 ひろみ',
  'தமிழ் செல்வி',
  'ʻAukai Kealoha',
  'Ａnna',
  '',
])('nothing is said about the name %s [SX-15]', name => {
  expect(mixedScripts(name)).toBeUndefined();
});
