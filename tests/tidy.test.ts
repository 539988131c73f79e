/**
 * The house rules that no compiler knows, as a test. Every rule is shown a sample that breaks it first, so that a rule
 * that sees nothing cannot pass.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(path => path !== '' && existsSync(join(root, path)));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const isSource = (path: string) => /^(src|scripts|bench|tests)\/.*\.(ts|tsx)$/.test(path);
const isTest = (path: string) => /\.(test|spec)\.tsx?$/.test(path);
const sources = tracked.filter(isSource);

type File = { path: string; text: string };
type Rule = {
  name: string;
  looksAt(path: string): boolean;
  breaks(file: File): string | undefined;
  sample: File;
};

/** Where a file stands: the row of the import table it belongs to. */
function roomOf(path: string): string {
  const [, side, room, area] = path.split('/') as [string, string, string?, string?];
  if (side === 'contract') return 'contract';
  if (side === 'server') return room?.includes('.') ? 'server' : `server/${room}`;
  if (side === 'web') return room === 'features' ? `web/features/${area}` : `web/${room}`;
  return side;
}

/** The import table of `docs/architecture.md`: from which rooms a room may take. */
const mayImport: Record<string, readonly string[]> = {
  contract: ['contract'],
  'server/base': ['contract', 'server/base'],
  'server/embedded': ['contract', 'server/base', 'server/embedded'],
  'server/db': ['contract', 'server/base', 'server/db'],
  'server/outside': ['contract', 'server/base', 'server/outside'],
  'server/ledger': ['contract', 'server/base', 'server/db', 'server/ledger'],
  'server/people': ['contract', 'server/base', 'server/db', 'server/people'],
  'server/http': ['contract', 'server/base', 'server/db', 'server/http'],
  'server/jobs': [
    'contract',
    'server/base',
    'server/db',
    'server/ledger',
    'server/people',
    'server/outside',
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
    'server/jobs',
  ],
  'web/base': ['contract', 'web/base'],
  'web/ui': ['web/ui'],
  'web/bank': ['contract', 'web/ui', 'web/bank'],
  'web/sheet': ['contract', 'web/ui', 'web/bank', 'web/sheet'],
  'web/site': ['contract', 'web/base', 'web/ui', 'web/bank', 'web/site'],
};

const importOf = /(?:from|import)\s*\(?\s*'([^']+)'/g;

/** The file an import names, from the root; undefined for a package. */
function resolveImport(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier));
  const match = /^#(contract|server|web)\/(.+)$/.exec(specifier);
  return match ? `src/${match[1]}/${match[2]}` : undefined;
}

function wallBreak({ path, text }: File): string | undefined {
  const room = roomOf(path);
  const isFeature = room.startsWith('web/features/');
  const allowed = isFeature ? ['contract', 'web/base', 'web/ui', 'web/bank', room] : mayImport[room];
  if (!allowed) return undefined;
  for (const [, specifier] of text.matchAll(importOf)) {
    const target = resolveImport(path, specifier!);
    if (!target) {
      if (room === 'contract' && specifier !== 'zod/mini') return `${path} imports ${specifier}`;
      continue;
    }
    const other = roomOf(target);
    // Types of the wiring carry no code across a wall.
    if (
      target === 'src/server/parts.ts' ||
      target === 'src/server/secrets.ts' ||
      target === 'src/server/config.ts'
    )
      continue;
    if (isFeature && other.startsWith('web/features/') && other !== room && /(Slice|Calls)\.ts$/.test(target))
      continue;
    if (room === 'server/areas' && other === 'server/areas' && !isAreaHelp(path, target))
      return `${path} imports another area, ${target}`;
    if (room !== 'server/areas' || other !== 'server/areas') {
      if (!allowed.includes(other)) return `${path} imports ${target}`;
    }
  }
  return undefined;
}

/** A file of an area's own, kept beside it: no `*Handlers` lives in it. */
function isAreaHelp(_: string, target: string): boolean {
  return existsSync(join(root, target)) && !/export function \w+Handlers\b/.test(read(target));
}

const bannedNames = /(^|\/)(utils?|helpers?|common|misc|managers?|services?|types)(\.|\/|$)/i;
const rawColour = /#[0-9a-f]{3,8}\b|\brgba?\(|\bhsla?\(/i;

const rules: Rule[] = [
  {
    name: 'a room imports only what the table allows',
    looksAt: path => path.startsWith('src/') && isSource(path) && !isTest(path),
    breaks: wallBreak,
    sample: { path: 'src/server/ledger/x.ts', text: "import { a } from '../people/customers.ts';" },
  },
  {
    name: 'other rooms import only the interface of server/embedded',
    looksAt: path => isSource(path) && !path.startsWith('src/server/embedded/'),
    breaks({ path, text }) {
      const targets = [...text.matchAll(importOf)].map(([, specifier]) => resolveImport(path, specifier!));
      const inside = targets.find(target => /^src\/server\/embedded\/(?!embedded\.ts$)/.test(target ?? ''));
      return inside && `${path} imports ${inside}`;
    },
    sample: { path: 'src/server/main.ts', text: "import { a } from './embedded/postmaster.ts';" },
  },
  {
    name: 'no file or folder has a name that says nothing',
    looksAt: isSource,
    breaks: ({ path }) => (bannedNames.test(path) ? path : undefined),
    sample: { path: 'src/web/base/utils.ts', text: '' },
  },
  {
    name: 'a component file exports one component, under its own name in PascalCase',
    looksAt: path =>
      /^src\/web\/.*\.tsx$/.test(path) && !isTest(path) && !/\/(main|prerender|routes)\.tsx$/.test(path),
    breaks({ path, text }) {
      const name = /\/([^/]+)\.tsx$/.exec(path)![1]!;
      if (!/^[A-Z]/.test(name)) return /export (const|function) [a-z]/.test(text) ? undefined : path;
      const exported = [...text.matchAll(/^export (?:function|const|class) ([A-Z]\w*)/gm)].map(
        ([, one]) => one,
      );
      return exported.join() === name ? undefined : `${path} exports ${exported.join() || 'no component'}`;
    },
    sample: { path: 'src/web/ui/Button.tsx', text: 'export function Knob() {}' },
  },
  {
    name: 'each source file opens by saying what it owns',
    looksAt: path => isSource(path) && path.startsWith('src/') && !isTest(path),
    breaks: ({ path, text }) => (/^(\/\*\*|\/\/|#!)/.test(text) ? undefined : path),
    sample: { path: 'src/server/x.ts', text: 'export const x = 1;' },
  },
  {
    name: 'no file is longer than 400 lines but a test or a list of words',
    looksAt: path => isSource(path) && !isTest(path) && !/contract\/messages\.ts$|content\//.test(path),
    breaks: ({ path, text }) => (text.split('\n').length > 400 ? path : undefined),
    sample: { path: 'src/server/x.ts', text: '\n'.repeat(500) },
  },
  {
    name: 'colours are named in the tokens and nowhere else',
    looksAt: path =>
      /^src\/web\/.*\.(css|tsx)$/.test(path) && !path.endsWith('ui/tokens.css') && !isTest(path),
    breaks({ path, text }) {
      const line = text
        .split('\n')
        .find(one =>
          rawColour.test(
            one.replace(
              /href="#[^"]*"|to="[^"]*"|'#[a-z-]+'|`#\$\{[^}]*\}`|url\(#[^)]*\)|\/\/.*|\/?\*.*/gi,
              '',
            ),
          ),
        );
      return line === undefined ? undefined : `${path}: ${line.trim()}`;
    },
    sample: { path: 'src/web/ui/x.css', text: '.a { color: #ff0000; }' },
  },
  {
    name: 'no handler names an HTTP status',
    looksAt: path => path.startsWith('src/server/areas/') && !isTest(path),
    breaks: ({ path, text }) => (/\.code\(\d|status(Code)?[:=]\s*\d{3}/.test(text) ? path : undefined),
    sample: { path: 'src/server/areas/x.ts', text: 'reply.code(404)' },
  },
  {
    name: 'only the ledger writes the books',
    looksAt: path =>
      path.startsWith('src/server/') && !path.startsWith('src/server/ledger/') && !isTest(path),
    breaks: ({ path, text }) =>
      /(INSERT INTO|UPDATE|DELETE FROM)\s+(ledger_accounts|transactions|journal_entries|external_transfers|transaction_totals|refused_requests)\b/i.test(
        text,
      )
        ? path
        : undefined,
    sample: { path: 'src/server/areas/x.ts', text: 'sql`UPDATE ledger_accounts SET balance = 1`' },
  },
  {
    name: 'no test is skipped or alone, and none sleeps',
    looksAt: path => isTest(path) && path !== 'tests/tidy.test.ts',
    breaks: ({ path, text }) =>
      /\b(it|test|describe)\.(only|skip|todo)\(|waitForTimeout\(/.test(text) ? path : undefined,
    sample: { path: 'tests/x.test.ts', text: "it.only('x', () => {})" },
  },
  {
    name: "the contract's messages are namespaces named …Messages, and a namespace is used by member only",
    looksAt: path => isSource(path) && !isTest(path),
    breaks({ path, text }) {
      const named = /import (?!\* as \w+Messages ).+ from '[^']*\/messages\/(?!fill\.)\w+\.ts'/.exec(text);
      if (named) return `${path}: ${named[0]}`;
      // Destructured or read with a computed key, the bundler keeps all of it on every page.
      for (const [, name] of text.matchAll(/import \* as (\w+) from '[#.]/g)) {
        const whole = new RegExp(`^.*(?<!as )\\b${name}\\b(?!\\.\\w).*$`, 'm').exec(text);
        if (whole) return `${path}: ${whole[0].trim()}`;
      }
      return undefined;
    },
    sample: {
      path: 'src/web/ui/x.ts',
      text: "import * as appMessages from '#contract/messages/app.ts';\nconst { close } = appMessages;",
    },
  },
  {
    name: 'nothing is left open in the text',
    looksAt: path => /\.(ts|tsx|css|md|sql|mjs)$/.test(path) && path !== 'tests/tidy.test.ts',
    breaks({ path, text }) {
      const line = text.split('\n').find(one => /\b(TODO|FIXME|XXX|lorem ipsum|coming soon)\b/i.test(one));
      return line === undefined ? undefined : `${path}: ${line.trim()}`;
    },
    sample: { path: 'src/x.ts', text: `// ${'TO'}DO later` },
  },
];

describe('the house', () => {
  for (const rule of rules) {
    it(`holds that ${rule.name}`, () => {
      expect(rule.breaks(rule.sample), 'the rule must see its own sample').toBeDefined();
      const looked = tracked.filter(path => rule.looksAt(path));
      expect(looked.length, 'the rule must look at something').toBeGreaterThan(0);
      const broken = looked
        .map(path => rule.breaks({ path, text: read(path) }))
        .filter(found => found !== undefined);
      expect(broken).toEqual([]);
    });
  }

  it('has a source behind every import of its own', () => {
    const missing = sources.flatMap(path =>
      [...read(path).matchAll(importOf)]
        .map(([, specifier]) => resolveImport(path, specifier!))
        .filter((target): target is string => target !== undefined && /\.(ts|tsx|css)$/.test(target))
        .filter(target => !existsSync(join(root, target)))
        .map(target => `${path} -> ${target}`),
    );
    expect(missing.filter(one => !one.startsWith('tests/tidy'))).toEqual([]);
  });
});

describe('the component sheet', () => {
  it('shows every component of web/ui and web/bank, by itself or in another', () => {
    const shown = new Set<string>();
    const show = (path: string): void => {
      if (shown.has(path) || !/^src\/web\/(ui|bank|sheet)\/.*\.tsx$/.test(path)) return;
      shown.add(path);
      for (const [, specifier] of read(path).matchAll(importOf)) show(resolveImport(path, specifier!) ?? '');
    };
    show('src/web/sheet/ComponentSheet.tsx');
    const parts = tracked.filter(path => /^src\/web\/(ui|bank)\/[^/]+\.tsx$/.test(path) && !isTest(path));
    expect(parts.length).toBeGreaterThan(50);
    expect(parts.filter(path => !shown.has(path))).toEqual([]);
  });
});

describe('the documents', () => {
  const documents = tracked.filter(path => path.endsWith('.md'));
  const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts);

  it('name only scripts that exist', () => {
    expect(documents.length).toBeGreaterThan(4);
    for (const path of documents) {
      for (const [, name] of read(path).matchAll(/npm run ([\w:-]+)/g))
        expect(scripts, `${path} names ${name}`).toContain(name);
    }
  });

  it('name only files and folders that exist', () => {
    const missing = documents.flatMap(path =>
      [...read(path).matchAll(/`((?:src|docs|db|tests|scripts|bench)\/[\w./-]*)`/g)]
        .map(([, named]) => named!)
        .filter(named => !existsSync(join(root, named)))
        .map(named => `${path} names ${named}`),
    );
    expect(missing).toEqual([]);
  });

  it('describe for those who run it every setting that the server reads', () => {
    const settings = [...read('src/server/config.ts').matchAll(/(?:text|flag)\('([A-Z_]+)'/g)].map(
      ([, name]) => name!,
    );
    expect(settings.length).toBeGreaterThan(10);
    const operations = read('docs/operations.md');
    expect(settings.filter(name => !operations.includes(`\`${name}\``))).toEqual([]);
  });
});
