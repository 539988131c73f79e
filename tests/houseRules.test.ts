/**
 * The house rules that no compiler checks. Each rule must first find the fault in a sample, so that a rule that finds nothing
 * cannot pass. A broken rule reports `file:line: what was found`, and how to fix it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listFiles } from '#scripts/listFiles.ts';
import { findUnsafeStatements } from '#server/db/migrationStatements.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
/** This file's path. Rules about text leave it out, because its samples break them. */
const self = 'tests/houseRules.test.ts';
const tracked = listFiles(root);
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const isSource = (path: string) => /^(src|scripts|bench|tests)\/.*\.(ts|tsx)$/.test(path);
const isTest = (path: string) => /\.(test|spec)\.tsx?$/.test(path);
const isDocument = (path: string) => path.endsWith('.md');
/** The newest migration of the first release, or a number above all migrations if nothing is released. */
const lastOfFirstRelease =
  Object.keys(
    Object.values(JSON.parse(read('db/migrations/released.json')) as Record<string, object>)[0] ?? {},
  ).at(-1) ?? '9000';

type File = { path: string; text: string };
type Found = { line: number; text: string };
type Rule = {
  name: string;
  /** What to do about a place that breaks the rule. */
  fix: string;
  looksAt(path: string): boolean;
  /** If the rule looks at fewer files than this, its `looksAt` is wrong. */
  atLeast?: number;
  find(file: File): Found[];
  /** A file that breaks the rule in `line`. */
  sample: File & { line: number };
};

/** Every line that breaks a rule. */
function findLines(text: string, breaks: (line: string) => boolean): Found[] {
  return text
    .split('\n')
    .flatMap((line, index) => (breaks(line) ? [{ line: index + 1, text: line.trim() }] : []));
}

/** Every match of a pattern: its first group, or the whole match if the pattern has no group. */
function findMatches(text: string, pattern: RegExp): Found[] {
  return [...text.matchAll(pattern)].map(match => ({
    line: text.slice(0, match.index).split('\n').length,
    text: match[1] ?? match[0],
  }));
}

/** A problem of the whole file. */
const wholeFile = (text: string): Found[] => [{ line: 1, text }];

/** The row of the import table that a file belongs to. */
function folderOf(path: string): string {
  const [, side, folder, area] = path.split('/') as [string, string, string?, string?];
  if (side === 'contract') return 'contract';
  if (side === 'server') return folder?.includes('.') ? 'server' : `server/${folder}`;
  if (side === 'web') return folder === 'features' ? `web/features/${area}` : `web/${folder}`;
  return side;
}

/** The import table of `docs/architecture.md`: the folders that each folder may import. */
const mayImport: Record<string, readonly string[]> = {
  contract: ['contract'],
  'server/base': ['contract', 'server/base'],
  'server/embedded': ['contract', 'server/base', 'server/embedded'],
  'server/db': ['contract', 'server/base', 'server/db'],
  'server/outside': ['contract', 'server/base', 'server/outside'],
  'server/ledger': ['contract', 'server/base', 'server/db', 'server/ledger'],
  'server/people': ['contract', 'server/base', 'server/db', 'server/people'],
  'server/http': ['contract', 'server/base', 'server/db', 'server/http'],
  'server/backup': ['server/base', 'server/embedded', 'server/outside', 'server/backup'],
  'server/documents': ['contract', 'server/base', 'server/ledger', 'server/documents'],
  'server/jobs': [
    'contract',
    'server/base',
    'server/db',
    'server/ledger',
    'server/people',
    'server/outside',
    'server/documents',
    'server/jobs',
  ],
  'server/areas': [
    'contract',
    'server/base',
    'server/http',
    'server/ledger',
    'server/people',
    'server/db',
    'server/outside',
    'server/documents',
    'server/jobs',
  ],
  'web/base': ['contract', 'web/base'],
  'web/router': ['web/router'],
  'web/worker': ['contract', 'web/worker'],
  'web/ui': ['web/router', 'web/ui'],
  'web/bank': ['contract', 'web/router', 'web/ui', 'web/bank'],
  'web/sheet': ['contract', 'web/router', 'web/ui', 'web/bank', 'web/sheet'],
  'web/site': ['contract', 'web/base', 'web/router', 'web/ui', 'web/bank', 'web/site'],
};
/** Files that wire the server. `mayUse` lets every folder import them; `isOnSide` keeps them out of web app and contract. */
const wiring = ['src/server/parts.ts', 'src/server/secrets.ts', 'src/server/config.ts'];

const importOf = /(?:from|import)\s*\(?\s*'([^']+)'/g;

/** The path, from the root, of the file that an import names; undefined for a package. */
function resolveImport(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier));
  if (specifier.startsWith('#scripts/')) return specifier.slice(1);
  return specifier.startsWith('#') ? `src/${specifier.slice(1)}` : undefined;
}

/** Whether `specifier` names a package, a file of the contract, or a file of the importing file's own side. */
function isOnSide(path: string, specifier: string): boolean {
  const target = resolveImport(path, specifier);
  const side = path.split('/', 2).join('/');
  return !target || target.startsWith('src/contract/') || target.startsWith(`${side}/`);
}

/** Whether a file may import what `specifier` names. */
function mayUse(path: string, specifier: string): boolean {
  const folder = folderOf(path);
  const isFeature = folder.startsWith('web/features/');
  const allowed = isFeature
    ? ['contract', 'web/base', 'web/router', 'web/ui', 'web/bank', folder]
    : mayImport[folder];
  if (!allowed) return true;
  const target = resolveImport(path, specifier);
  if (!target) return folder !== 'contract' || specifier === 'zod/mini';
  if (wiring.includes(target)) return true;
  const other = folderOf(target);
  if (folder === 'server/areas' && other === 'server/areas') return isAreaHelp(target);
  if (isFeature && other.startsWith('web/features/') && /(Slice|Calls)\.ts$/.test(target)) return true;
  return allowed.includes(other);
}

/** Whether a file of `server/areas` is not itself an area: it exports no `*Handlers`. Areas may import such files. */
function isAreaHelp(target: string): boolean {
  return existsSync(join(root, target)) && !/export function \w+Handlers\b/.test(read(target));
}

/** The components that the component sheet imports, directly or through another. */
function listShown(): Set<string> {
  const shown = new Set<string>();
  const show = (path: string): void => {
    if (shown.has(path) || !/^src\/web\/(ui|bank|sheet)\/.*\.tsx$/.test(path)) return;
    shown.add(path);
    for (const [, specifier] of read(path).matchAll(importOf)) show(resolveImport(path, specifier!) ?? '');
  };
  show('src/web/sheet/ComponentSheet.tsx');
  return shown;
}

/** Subqueries of a FROM or JOIN that have no name. In `IS DISTINCT FROM (…)` and `extract(… FROM (…))` they need none. */
function findNamelessSubqueries(text: string): Found[] {
  const starts = [
    ...text.matchAll(/(?<!DISTINCT |epoch )\b(?:FROM|JOIN)(?: LATERAL)?\s*\(\s*(?=SELECT|VALUES|WITH)/g),
  ];
  return starts.flatMap(({ index }) => {
    let end = text.indexOf('(', index);
    for (let depth = 1; depth > 0 && end < text.length; ) {
      end++;
      depth += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0;
    }
    const isNamed = /^\)\s*(AS\s+)?[a-z_]+/.test(text.slice(end));
    return isNamed
      ? []
      : [{ line: text.slice(0, index).split('\n').length, text: text.slice(index, end + 1) }];
  });
}

const bannedNames = /(^|\/)(utils?|helpers?|common|misc|managers?|services?|types)(\.|\/|$)/i;
const rawColor = /#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/i;
/** Text that looks like a color but is not: links and ids that start with #, comments. */
const notAColor = /href="#[^"]*"|to="[^"]*"|`#\$\{[^}]*\}`|url\(#[^)]*\)|\/\/.*|\/?\*.*/gi;
const packageScripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts);
const operations = read('docs/operations.md');
const shown = listShown();

const rules: Rule[] = [
  {
    name: 'a folder imports only what the table allows',
    fix: 'Import from a folder that the table in docs/architecture.md allows, or move the code to one. What two folders need goes into a folder that both may import, or comes in as a parameter.',
    looksAt: path => path.startsWith('src/') && isSource(path) && !isTest(path),
    find: ({ path, text }) => findMatches(text, importOf).filter(found => !mayUse(path, found.text)),
    sample: {
      path: 'src/server/ledger/x.ts',
      text: "import pg from 'pg';\nimport { a } from '../people/customers.ts';",
      line: 2,
    },
  },
  {
    name: 'server and web app import nothing of each other, and the contract imports nothing of either',
    fix: 'Move what both sides need to src/contract. What only a test, a script or a benchmark needs stays outside src.',
    looksAt: path => path.startsWith('src/') && isSource(path) && !isTest(path),
    find: ({ path, text }) => findMatches(text, importOf).filter(found => !isOnSide(path, found.text)),
    sample: {
      path: 'src/web/app/x.ts',
      text: "import '#contract/api.ts';\nimport { a } from '#server/config.ts';",
      line: 2,
    },
  },
  {
    name: 'other folders import only the interface of the embedded database',
    fix: 'Import src/server/embedded/embedded.ts. What it does not export is internal to the folder.',
    looksAt: path => isSource(path) && !path.startsWith('src/server/embedded/'),
    find: ({ path, text }) =>
      findMatches(text, importOf).filter(found =>
        /^src\/server\/embedded\/(?!embedded\.ts$)/.test(resolveImport(path, found.text) ?? ''),
      ),
    sample: { path: 'src/server/main.ts', text: "\nimport { a } from './embedded/postmaster.ts';", line: 2 },
  },
  {
    name: 'every import of our own files has a file behind it',
    fix: 'Correct the path. A file that was moved is imported from its new place.',
    looksAt: path => isSource(path) && path !== self,
    find: ({ path, text }) =>
      findMatches(text, importOf).filter(found => {
        const target = resolveImport(path, found.text) ?? '';
        return /\.(ts|tsx|css)$/.test(target) && !existsSync(join(root, target));
      }),
    sample: { path: 'src/server/x.ts', text: "\nimport { a } from './nothing.ts';", line: 2 },
  },
  {
    name: 'no file or folder has a name that says nothing',
    fix: 'Name the file for what it owns. One that owns several things becomes several files.',
    looksAt: isSource,
    find: ({ path }) => (bannedNames.test(path) ? wholeFile('This name says nothing.') : []),
    sample: { path: 'src/web/base/utils.ts', text: '', line: 1 },
  },
  {
    name: 'a component file is named for a component that it exports, in PascalCase',
    fix: 'Give file and component the same name. The name of a file without a component begins with a lowercase letter.',
    looksAt: path =>
      /^src\/web\/.*\.tsx$/.test(path) && !isTest(path) && !/\/(main|prerender|routes)\.tsx$/.test(path),
    find({ path, text }) {
      const name = /\/([^/]+)\.tsx$/.exec(path)![1]!;
      const expected = /^[A-Z]/.test(name)
        ? new RegExp(`export (function|const|class) ${name}\\b`)
        : /export (const|function) [a-z]/;
      return expected.test(text) ? [] : wholeFile(`Nothing named ${name} is exported.`);
    },
    sample: { path: 'src/web/ui/Button.tsx', text: 'export function Knob() {}', line: 1 },
  },
  {
    name: 'each source file begins with a comment',
    fix: 'Begin the file with a comment of one or two sentences that says what it owns.',
    looksAt: isSource,
    find: ({ text }) => (/^(\/\*\*|\/\/|#!)/.test(text) ? [] : wholeFile(text.split('\n')[0]!)),
    sample: { path: 'src/server/x.ts', text: 'export const x = 1;', line: 1 },
  },
  {
    name: 'no file is longer than 400 lines, except tests and lists of words',
    fix: 'Split the file by what its parts own.',
    looksAt: path => isSource(path) && !isTest(path) && !/content\//.test(path),
    find({ text }) {
      const length = text.trimEnd().split('\n').length;
      return length > 400 ? [{ line: 401, text: `The file has ${length} lines.` }] : [];
    },
    sample: { path: 'src/server/x.ts', text: 'x\n'.repeat(401), line: 401 },
  },
  {
    name: 'the web app names colors in the tokens and nowhere else',
    fix: 'Use a token of src/web/ui/tokens.css, as var(--…). A new color is added there.',
    looksAt: path =>
      /^src\/web\/.*\.(css|tsx)$/.test(path) && !path.endsWith('ui/tokens.css') && !isTest(path),
    find: ({ text }) => findLines(text, line => rawColor.test(line.replace(notAColor, ''))),
    sample: { path: 'src/web/ui/x.css', text: '.a {\n  color: #ff0000;\n}', line: 2 },
  },
  {
    name: 'every component of web/ui and web/bank is on the component sheet, directly or inside another',
    fix: 'Show the component, in all its states, in a sheet that src/web/sheet/ComponentSheet.tsx imports.',
    looksAt: path => /^src\/web\/(ui|bank)\/[^/]+\.tsx$/.test(path) && !isTest(path),
    atLeast: 50,
    find: ({ path }) => (shown.has(path) ? [] : wholeFile('The component sheet does not show it.')),
    sample: { path: 'src/web/ui/NotShown.tsx', text: '', line: 1 },
  },
  {
    name: 'no handler names an HTTP status',
    fix: 'Throw a Refusal with a code of src/contract/errors.ts. The status of a success is declared with the call, in src/contract.',
    looksAt: path => path.startsWith('src/server/areas/') && !isTest(path),
    find: ({ text }) => findLines(text, line => /\.code\(\d|status(Code)?[:=]\s*\d{3}/.test(line)),
    sample: { path: 'src/server/areas/x.ts', text: '{\nreply.code(404)\n}', line: 2 },
  },
  {
    name: 'only the ledger writes the books',
    fix: 'Call a function of src/server/ledger. A new kind of write becomes one there.',
    looksAt: path =>
      path.startsWith('src/server/') && !path.startsWith('src/server/ledger/') && !isTest(path),
    find: ({ text }) =>
      findMatches(
        text,
        /(?:INSERT INTO|UPDATE|DELETE FROM)\s+(?:ledger_accounts|transactions|journal_entries|external_transfers|transaction_totals|refused_requests)\b/gi,
      ),
    sample: {
      path: 'src/server/areas/x.ts',
      text: 'sql`\n  UPDATE\n  ledger_accounts SET balance = 1`',
      line: 2,
    },
  },
  {
    name: 'a running server uses the disk of BACKUP_DIR and the file store without blocking its process',
    fix: 'Use node:fs/promises: a disk that is slow or hangs must not stop the server.',
    looksAt: path =>
      /^src\/server\/(backup\/(backUp|copyFiles|folder|times|walArchive)|outside\/objectStore)\.ts$/.test(
        path,
      ),
    atLeast: 6,
    find: ({ text }) => findLines(text, line => /\b[a-z]\w*Sync\(/.test(line)),
    sample: {
      path: 'src/server/backup/backUp.ts',
      text: '/** Backups. */\nif (existsSync(target)) return;',
      line: 2,
    },
  },
  {
    name: 'no test is skipped or runs alone, and no browser test waits for a fixed time',
    fix: 'Run the test, or delete it. Wait for what the page shows, never for time.',
    looksAt: path => isTest(path) && path !== self,
    find: ({ text }) =>
      findLines(text, line => /\b(it|test|describe)\.(only|skip|todo)\(|waitForTimeout\(/.test(line)),
    sample: { path: 'tests/x.test.ts', text: "\nit.only('x', () => {})", line: 2 },
  },
  {
    name: 'waits of tests have a time limit that is long enough on a busy machine',
    fix: 'By default, vi.waitFor gives up after a second: pass waitOptions of tests/waiting.ts, or use waitFor of the testing library.',
    looksAt: path => isTest(path) && path !== self,
    find: ({ text }) => findLines(text, line => /\bvi\.waitFor\(.*\)\);$/.test(line)),
    sample: { path: 'tests/x.test.ts', text: '\nawait vi.waitFor(() => expect(x).toBe(1));', line: 2 },
  },
  {
    name: "the contract's messages are namespaces named …Messages, and a namespace is used by member only",
    fix: "Write import * as xMessages from '#contract/messages/x.ts' and xMessages.name. If the namespace is destructured or read with a computed key, the bundler keeps the whole file on every page.",
    looksAt: path => isSource(path) && !isTest(path),
    find({ text }) {
      const imports = findMatches(
        text,
        /^(import (?!type )(?!\* as \w+Messages ).+ from '[^']*\/messages\/(?!fill\.)\w+\.ts')/gm,
      );
      const namespaces = [...text.matchAll(/import \* as (\w+) from '[#.]/g)].map(([, name]) => name!);
      const whole = namespaces.flatMap(name =>
        findMatches(text, new RegExp(`^.*(?<!as )\\b${name}\\b(?!\\.\\w).*$`, 'gm')),
      );
      return [...imports, ...whole];
    },
    sample: {
      path: 'src/web/ui/x.ts',
      text: "import * as appMessages from '#contract/messages/app.ts';\nconst { close } = appMessages;",
      line: 2,
    },
  },
  {
    name: 'a subquery in FROM has a name',
    fix: 'Add a name after the parenthesis, or use EXISTS: PostgreSQL 15 refuses the statement without one.',
    looksAt: path => /^(src\/server|db)\/.*\.(ts|sql)$/.test(path),
    atLeast: 100,
    find: ({ text }) => findNamelessSubqueries(text),
    sample: {
      path: 'src/server/x.ts',
      text: 'SELECT 1 FROM (SELECT 2) n\n UNION SELECT FROM (SELECT (3))`',
      line: 2,
    },
  },
  {
    name: 'no text has a note of work to do',
    fix: 'Do the work, or delete the note.',
    looksAt: path => /\.(ts|tsx|css|md|sql|mjs)$/.test(path) && path !== self,
    find: ({ text }) => findLines(text, line => /\b(TODO|FIXME|XXX|lorem ipsum|coming soon)\b/i.test(line)),
    sample: { path: 'src/x.ts', text: '\n// TODO later', line: 2 },
  },
  {
    name: 'documents name only scripts that exist',
    fix: 'Name a script of package.json.',
    looksAt: isDocument,
    atLeast: 5,
    find: ({ text }) =>
      findMatches(text, /npm run ([\w:-]+)/g).filter(found => !packageScripts.includes(found.text)),
    sample: { path: 'docs/x.md', text: '\nThen `npm run nothing`.', line: 2 },
  },
  {
    name: 'documents and comments start a program through npm, never as `node x.ts`',
    fix: 'Give the program a script in package.json and write `npm run <script>`: the Node of the machine may be too old to read TypeScript, the one that npm scripts find is not.',
    looksAt: path => /\.(ts|tsx|md|sql|mjs)$/.test(path) && path !== self,
    find: ({ text }) => findMatches(text, /\bnode (?:-\S+ )*[\w./-]+\.(?:ts|mjs|js)\b/g),
    sample: { path: 'docs/x.md', text: '\nThen `node scripts/x.ts`.', line: 2 },
  },
  {
    name: 'documents name only files and folders that exist',
    fix: 'Correct the path, or describe the thing without it.',
    looksAt: isDocument,
    find: ({ text }) =>
      findMatches(text, /`((?:src|docs|db|tests|scripts|bench)\/[\w./-]*)`/g).filter(
        found => !existsSync(join(root, found.text)),
      ),
    sample: { path: 'docs/x.md', text: '\nSee `src/nothing.ts`.', line: 2 },
  },
  {
    name: 'migrations after the first release neither lock a large table for long nor break the servers of the version before',
    fix: 'Do what the message says. CONTRIBUTING.md has the rules, src/server/db/migrations.test.ts what is refused.',
    looksAt: path => /^db\/migrations\/.*\.sql$/.test(path),
    find: ({ path, text }) =>
      path <= `db/migrations/${lastOfFirstRelease}.sql`
        ? []
        : findUnsafeStatements(text).map(found => ({
            line: found.line,
            text: `${found.text.split('\n')[0]!} ${found.instead}`,
          })),
    sample: {
      path: 'db/migrations/9001_x.sql',
      text: '\nCREATE INDEX slow ON transactions (at);',
      line: 2,
    },
  },
  {
    name: 'docs/operations.md describes every setting that the server reads',
    fix: 'Add the setting to the table in docs/operations.md.',
    looksAt: path => path === 'src/server/config.ts',
    find({ text }) {
      const settings = findMatches(text, /(?:text|flag)\('([A-Z_]+)'/g);
      if (settings.length < 10)
        return wholeFile('The rule finds hardly any setting here: correct its pattern.');
      return settings.filter(found => !operations.includes(`\`${found.text}\``));
    },
    sample: {
      path: 'src/server/config.ts',
      text: `${"text('PORT');\n".repeat(10)}text('NOT_DESCRIBED');`,
      line: 11,
    },
  },
];

/** Fails with every place that breaks the rule, and without a stack, which would point to this file. */
function report(rule: Rule, places: string[]): void {
  if (places.length === 0) return;
  const broken = new Error(`${places.join('\n')}\n\nHow to fix it: ${rule.fix}\n`);
  broken.stack = '';
  throw broken;
}

describe('the house', () => {
  for (const rule of rules) {
    it(`holds that ${rule.name}`, () => {
      const { line, ...sample } = rule.sample;
      expect(rule.find(sample)[0]?.line, 'the rule must see its own sample, in its line').toBe(line);
      const looked = tracked.filter(path => rule.looksAt(path));
      expect(looked.length, 'the rule must look at something').toBeGreaterThanOrEqual(rule.atLeast ?? 1);
      const places = looked.flatMap(path =>
        rule.find({ path, text: read(path) }).map(found => `${path}:${found.line}: ${found.text}`),
      );
      report(rule, places);
    });
  }
});
