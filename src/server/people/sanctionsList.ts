/** The last imported sanctions list, and the screening of names against it. */
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { screening as rule } from '#contract/constants.ts';
import { invalidField } from '#contract/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as registerMessages from '#contract/messages/register.ts';
import { fingerprint, newId } from '../base/uuid.ts';
import { recordAudit } from '../db/audit.ts';
import type { Reader, Tx } from '../db/database.ts';
import {
  compareNames,
  foldName,
  foldsOf,
  isWrittenTogether,
  joinPieces,
  latinReadingsOf,
  readingsOf,
} from './nameMatching.ts';

/** An entry of a sanctions list. `dateOfBirth` is a day, a month, a year, or empty. */
export type ListEntry = {
  id: string;
  name: string;
  aliases: string[];
  dateOfBirth: string;
  program: string;
};

/** A listed person whom a customer resembles. */
export type Match = Pick<ListEntry, 'dateOfBirth' | 'program'> & {
  entryId: string;
  /** The name or alias that is most similar. */
  name: string;
  /** How similar the names are, from 0 to 1. */
  score: number;
  /** Changes when the names or the date of birth of the entry change. */
  hash: string;
};

export type Named = { firstName: string; middleName: string; lastName: string };

export const wholeName = ({ firstName, middleName, lastName }: Named) =>
  [firstName, middleName, lastName].filter(Boolean).join(' ');

/**
 * Refuses `VALIDATION` at `field` if a name has too many words: a listed name could hide among them, and the screening would
 * take too long.
 */
export function refuseTooManyNames(person: Named, field: string): void {
  if (foldName(wholeName(person)).split(' ').length > rule.maxWords)
    throw invalidField(field, fill(registerMessages.tooManyNames, { max: rule.maxWords }));
}

const chunkSize = 1000;

/** Replaces the list and returns the id of the import. All customers must then be screened for this import. */
export async function importList(tx: Tx, entries: readonly ListEntry[]): Promise<string> {
  await sql`DELETE FROM screening_entries`.execute(tx);
  for (let from = 0; from < entries.length; from += chunkSize) {
    const chunk = entries.slice(from, from + chunkSize);
    const rows = chunk.map(entry => ({
      ...entry,
      date_of_birth: entry.dateOfBirth,
      hash: hashEntry(entry),
    }));
    await sql`
      INSERT INTO screening_entries (id, name, aliases, date_of_birth, program, hash)
      SELECT id, name, aliases, date_of_birth, program, hash
        FROM json_to_recordset(${JSON.stringify(rows)}::json)
          AS e(id text, name text, aliases text[], date_of_birth text, program text, hash uuid)`.execute(tx);
    const names = chunk.flatMap(({ id, name, aliases }) =>
      // Only the last form of each name (Latin if there is one), because the primary key allows no second. A customer's name
      // in look-alike letters is found because it is searched for in its Latin form too.
      [...new Set([name, ...aliases])].map(text => ({ id, name: text, folded: foldsOf(text).at(-1)! })),
    );
    await sql`
      INSERT INTO screening_names (entry_id, name, folded)
      SELECT id, name, folded FROM json_to_recordset(${JSON.stringify(names)}::json)
          AS n(id text, name text, folded text)`.execute(tx);
    // After each chunk, because the searches of other transactions read the pending entries too.
    await sql`SELECT flush_screening_names()`.execute(tx);
  }
  const importId = newId();
  await sql`INSERT INTO screening_imports (id, entries) VALUES (${importId}, ${entries.length})`.execute(tx);
  await recordAudit(tx, {
    actor: { kind: 'system' },
    action: 'screening.imported',
    data: { rows: entries.length },
  });
  return importId;
}

const hashEntry = ({ name, aliases, dateOfBirth }: ListEntry) =>
  fingerprint(dateOfBirth, ...[name, ...aliases].map(foldName).sort());

type Candidate = Omit<Match, 'score'> & { place: bigint; folded: string };

/** The similarity of trigrams from which a listed name is a candidate, as in `screening_candidates`. */
const leastSimilar = 0.3;

/**
 * In a name of more words than this, every pair of words is looked up. In a shorter name, only two kinds of pairs are: Chinese,
 * Japanese or Korean words, and pairs so short that a search for the whole name could miss them if one letter differs.
 */
const maxWholeWords = 4;

/** The texts to search the list for, each with the forms of the person's name that are compared with what it finds. */
function lookupsOf(person: Named): Map<string, Set<string>> {
  const lookups = new Map<string, Set<string>>();
  const add = (lookup: string, forms: readonly string[]) =>
    lookups.set(lookup, new Set([...(lookups.get(lookup) ?? []), ...forms]));
  for (const text of textsOf(person)) {
    for (const form of readingsOf(text)) add(form, [form]);
    const forms = latinReadingsOf(text);
    for (const lookup of [...pairsOf(forms), ...togetherOf(forms[0]!)]) add(lookup, forms);
  }
  return lookups;
}

/** The length of a pair of single letters, such as `a b`. It is not looked up: it would find only a listed pair of initials. */
const lettersApart = 3;

/**
 * The pairs of words to look up. A pair has all forms of both words, so that a name of digits and look-alikes needs hardly more
 * lookups than another one. A pair of Chinese, Japanese or Korean words also has both written together.
 */
function pairsOf(forms: readonly string[]): string[] {
  const [words = [], ...others] = forms.map(form => form.split(' '));
  const all = words.map((word, i) => [...new Set([word, ...others.map(other => other[i])])].join(' '));
  // Pairs only the longest words, because short ones are easily added to hide a name.
  const paired = [...new Set(all)].sort((a, b) => b.length - a.length).slice(0, rule.maxWords);
  const pairs = paired.flatMap((one, at) => paired.slice(at + 1).map(other => [one, other]));
  // A word has one trigram more than it has letters.
  const trigrams = (texts: string[]) => texts.reduce((sum, text) => sum + text.split(' ')[0]!.length + 1, 0);
  // Another letter in the listed name replaces up to three of the trigrams that both share.
  const isTooShort = (pair: string[]) => (trigrams(pair) - 3) / (trigrams(words) + 3) < leastSimilar;
  return pairs
    .filter(pair => words.length > maxWholeWords || isTooShort(pair) || pair.every(isWrittenTogether))
    .map(pair => [...pair, ...(pair.every(isWrittenTogether) ? ordersOf(pair) : [])].join(' '))
    .filter(pair => pair.length > lettersApart);
}

/** Words written together in the usual orders: as given, with the last one first, and from the last to the first. */
const ordersOf = (words: string[]) => [
  words.join(''),
  [...words.slice(-1), ...words.slice(0, -1)].join(''),
  words.toReversed().join(''),
];

/** The Chinese, Japanese and Korean words of a name, written together. If they are two, `pairsOf` has them. */
function togetherOf(form: string): string[] {
  const words = form.split(' ').filter(isWrittenTogether);
  return words.length === 0 || words.length === 2 ? [] : [ordersOf(words).join(' ')];
}

const textsOf = ({ firstName, middleName, lastName }: Named) => [
  ...new Set(
    [
      [firstName, lastName],
      [firstName, middleName, lastName],
    ].flatMap(names => [names, names.map(joinPieces)].map(parts => parts.filter(Boolean).join(' '))),
  ),
];

/** How many searches of the list are needed to screen a person. */
export const countLookups = (person: Named): number => lookupsOf(person).size;

/**
 * How many lookups one query makes. A lookup takes up to 40 ms on a busy machine with 40,000 listed names, so the query ends
 * long before the statement timeout.
 */
const lookupsPerQuery = 20;

/** After this time, comparing names lets other work run. A name of frequent words has tens of thousands of candidates. */
const sliceMs = 5;

/**
 * Finds for each person the listed people whom the person resembles. Candidates are found by shared trigrams. Then the names
 * are compared word by word.
 */
export async function screenByList(reader: Reader, people: readonly Named[]): Promise<Match[][]> {
  const searching = new Map<string, { of: number; own: string; compared: Set<string> }[]>();
  for (const [of, person] of people.entries()) {
    const compared = new Map<string, Set<string>>();
    for (const [lookup, forms] of lookupsOf(person))
      for (const own of forms) {
        const name = { of, own, compared: compared.get(own) ?? new Set<string>() };
        compared.set(own, name.compared);
        searching.set(lookup, [...(searching.get(lookup) ?? []), name]);
      }
  }
  const lookups = [...searching.keys()];
  const best = people.map(() => new Map<string, Match>());
  for (let from = 0; from < lookups.length; from += lookupsPerQuery) {
    const some = lookups.slice(from, from + lookupsPerQuery);
    const found = await sql<Candidate>`
      SELECT place, entry_id AS "entryId", name, folded, date_of_birth AS "dateOfBirth", program, hash
        FROM screening_candidates(${some}::text[])`.execute(reader);
    let slicedAt = performance.now();
    for (const { place, folded, ...candidate } of found.rows) {
      const { entryId } = candidate;
      for (const { of, own, compared } of searching.get(some[Number(place) - 1]!)!) {
        // Several pairs of words can find the same name.
        if (compared.has(`${entryId} ${folded}`)) continue;
        compared.add(`${entryId} ${folded}`);
        if (performance.now() - slicedAt > sliceMs) {
          await setImmediate();
          slicedAt = performance.now();
        }
        const score = compareNames(own, folded);
        if (score >= rule.threshold && score > (best[of]!.get(entryId)?.score ?? 0))
          best[of]!.set(entryId, { ...candidate, score });
      }
    }
  }
  return best.map(matches => [...matches.values()]);
}
