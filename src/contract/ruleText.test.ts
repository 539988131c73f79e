/** A schedule's rule, as the sentence that customers read. */
import { expect, test } from 'vitest';
import { describeRule, type Rule, shortName } from './ruleText.ts';
import { frequencies } from './scheduled.ts';

const now = new Date('2026-11-22T15:00:00Z');
const rules: [Rule, string][] = [
  [{ startDate: '2026-12-01', frequency: 'once' }, 'once, on Dec 1'],
  [{ startDate: '2027-01-04', frequency: 'once' }, 'once, on Jan 4, 2027'],
  [{ startDate: '2026-12-01', frequency: 'weekly' }, 'every Tuesday'],
  [
    { startDate: '2026-12-04', frequency: 'biweekly', endDate: '2027-06-01' },
    'every other Friday until Jun 1, 2027',
  ],
  [{ startDate: '2026-12-01', frequency: 'monthly' }, 'on the 1st of every month'],
  [{ startDate: '2026-12-22', frequency: 'monthly', count: 12 }, 'on the 22nd of every month, 12 times'],
  [{ startDate: '2026-12-13', frequency: 'monthly', count: 1 }, 'on the 13th of every month, one time'],
  [
    { startDate: '2027-01-31', frequency: 'monthly' },
    'on the 31st of every month (the last day if the month is shorter)',
  ],
  [{ startDate: '2026-12-01', frequency: 'yearly' }, 'every Dec 1'],
];

test.each(rules)('%j is written as a sentence [SC-14]', (rule, sentence) => {
  expect(describeRule(rule, now)).toBe(sentence);
});

test('a rule with a first date that is no day shows that date [SC-27]', () => {
  for (const frequency of frequencies)
    expect(describeRule({ startDate: '10000-01-31', frequency })).toBe('10000-01-31');
  expect(describeRule({ ...rules[2]![0], endDate: '10000-01-31' })).toBe('every Tuesday until 10000-01-31');
  expect(shortName('10000-01-31')).toBe('10000-01-31');
});
