/** Which names are found to be alike, and which are not. */
import { expect, test } from 'vitest';
import { screening } from '#contract/constants.ts';
import { compareNames, compareWords, foldName } from './nameMatching.ts';

const areAlike = (one: string, other: string) =>
  compareNames(foldName(one), foldName(other)) >= screening.threshold;

test('two words have the similarity that Winkler published [SX-01]', () => {
  const published = [
    ['martha', 'marhta', 0.961],
    ['dixon', 'dicksonx', 0.813],
    ['dwayne', 'duane', 0.84],
    ['same', 'same', 1],
    ['abc', 'xyz', 0],
  ] as const;
  for (const [one, other, similarity] of published)
    expect(compareWords(one, other), one).toBeCloseTo(similarity, 3);
});

test('a name is folded to words without case, accents and punctuation, given names first [SX-01]', () => {
  expect(foldName('NÚÑEZ, José-María')).toBe('jose maria nunez');
  expect(foldName('Łukasz O’Brien-Strauß')).toBe('lukasz obrien strauss');
  expect(foldName('Иван Петров')).toBe('иван петров');
});

test.each([
  ['in another order', 'Ivan Petrov', 'PETROV, Ivan'],
  ['in another order without a comma', 'Ivan Petrov', 'Petrov Ivan'],
  ['with another spelling', 'Victor Petrov', 'Viktor Petrow'],
  ['with accents', 'Jose Nunez', 'José Núñez'],
  ['with a middle name', 'Ivan Petrov', 'Ivan Sergeyevich Petrov'],
  ['with words written together', 'Abdul Rahman Al Rashid', 'Abdulrahman Alrashid'],
  ['with one letter less', 'Mohammed Rashid', 'Mohamed Rashid'],
])('a customer is found %s [SX-01]', (_, customer, listed) => {
  expect(areAlike(customer, listed)).toBe(true);
});

test.each([
  ['only the last name is the same', 'Ivan Petrov', 'Oleg Petrov'],
  ['only the first name is the same', 'Ivan Petrov', 'Ivan Sokolov'],
  ['the listed name is a single word', 'Ali Hassan', 'Ali'],
  ['nothing is the same', 'Nora Quist', 'Ivan Petrov'],
])('a customer is not found if %s [SX-01]', (_, customer, listed) => {
  expect(areAlike(customer, listed)).toBe(false);
});
