/**
 * The list of requirements matches the tests: every row has a test or says why not, and every id in a test title is a row.
 * Each rule is also run on a sample that breaks it.
 */
import { describe, expect, test } from 'vitest';
import { match, readList, readMatrix, readTitles } from '#scripts/requirements.ts';

const { rows, problems } = readMatrix();

test('every requirement has a test or a check by hand, and every id in a title is a requirement', () => {
  expect(rows.length).toBeGreaterThan(600);
  expect(rows.flatMap(row => row.titles).length).toBeGreaterThan(800);
  expect(problems).toEqual([]);
});

test('few requirements are checked by hand', () => {
  const byHand = rows.filter(({ proof }) => proof === 'by hand').map(({ id }) => id);
  expect(byHand.length).toBeLessThanOrEqual(5);
});

const list = readList(`
# Requirements

## Login (L)

- **L-01** A customer logs in.

### Codes

- **L-02** The second
  step asks for a code.
- **L-03** *Withdrawn: there is no third step.*
- **L-04** It looks good. *Checked by hand: look
  at it.*
`);

describe('the list', () => {
  test('is parsed into rows with their area, full sentence and kind of proof', () => {
    const { requirements, problems } = list;
    expect(problems).toEqual([]);
    expect(requirements.map(({ id, proof }) => `${id} ${proof}`)).toEqual([
      'L-01 test',
      'L-02 test',
      'L-03 withdrawn',
      'L-04 by hand',
    ]);
    expect(requirements[1]).toMatchObject({
      area: 'Login (L), Codes',
      sentence: 'The second step asks for a code.',
    });
  });

  test('cannot contain a row twice or a malformed row', () => {
    for (const line of ['- **L-01** Again.', '- L-05 Not bold.', '- **L-6** One digit.', '- **L-07**'])
      expect(readList(`- **L-01** A row.\n${line}\n`).problems, line).toHaveLength(1);
  });
});

const titlesOf = (source: string) => readTitles('x.test.ts', source);

describe('a title', () => {
  test('names one row, several rows, or ranges', () => {
    const { titles, problems } = titlesOf(`
      test('a customer logs in [L-01]', () => {});
      describe(\`logging in \${where} [L-02, V-09 to V-11]\`, () => {});
      // test('not a test [L-03]', () => {});
      test('of nothing', () => expect('[x]').toBe(a[0]));`);
    expect(problems).toEqual([]);
    expect(titles).toEqual([
      { file: 'x.test.ts', title: 'a customer logs in', ids: ['L-01'] },
      { file: 'x.test.ts', title: 'logging in …', ids: ['L-02', 'V-09', 'V-10', 'V-11'] },
    ]);
  });

  test('can get its rows from a table', () => {
    const { titles } = titlesOf(`
      const words = [['Login', 'L-01'], ['Verify', 'L-02, L-03'], ['Other', 'other']];
      for (const [word, rows] of words) test(\`a person reads "\${word}" [\${rows}]\`, () => {});`);
    expect(titles).toEqual([
      { file: 'x.test.ts', title: 'a person reads "…"', ids: ['L-01'] },
      { file: 'x.test.ts', title: 'a person reads "…"', ids: ['L-02', 'L-03'] },
    ]);
  });

  test.each([
    'logs in [L-01,L-02]',
    'logs in [L-1]',
    'logs in [L 01]',
    'logs [L-01] in',
    'logs in [L-01, x]',
  ])('cannot name rows as in "%s"', title => {
    expect(titlesOf(`test('${title}', () => {});`)).toMatchObject({ titles: [], problems: [{}] });
  });
});

describe('the matrix', () => {
  const named = (...ids: string[]) => [{ file: 'x.test.ts', title: 'a customer logs in', ids }];
  const problemsWith = (...ids: string[]) => match(list.requirements, named(...ids)).problems;

  test('lists each test under the rows it names', () => {
    const { rows, problems } = match(list.requirements, named('L-01', 'L-02'));
    expect(problems).toEqual([]);
    expect(rows.map(({ titles }) => titles.length)).toEqual([1, 1, 0, 0]);
  });

  test.each([
    [['L-01'], 'L-02 has no test: The second step asks for a code.'],
    [['L-01', 'L-02', 'L-09'], 'L-09 is no row of docs/requirements.md: x.test.ts: a customer logs in'],
    [['L-01', 'L-02', 'L-03'], 'L-03 is withdrawn, but proved: x.test.ts: a customer logs in'],
    [['L-01', 'L-02', 'L-04'], 'L-04 is marked as checked by hand, but x.test.ts proves it'],
  ])('reports a problem if the tests name %s', (ids, problem) => {
    expect(problemsWith(...ids)).toEqual([problem]);
  });
});
