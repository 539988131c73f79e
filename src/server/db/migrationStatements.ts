/**
 * What each statement of a migration does to a running bank: which locks it takes, on which tables, and whether its time grows
 * with the table. `npm run migrate -- --plan` shows it, and the house rules refuse what would block the books for long
 * (PostgreSQL's manual, "Explicit Locking" and "ALTER TABLE").
 */

type LockMode =
  | 'ROW EXCLUSIVE'
  | 'SHARE UPDATE EXCLUSIVE'
  | 'SHARE'
  | 'SHARE ROW EXCLUSIVE'
  | 'ACCESS EXCLUSIVE';

export type Statement = { text: string; line: number };

export type Effect = {
  locks: { table: string; mode: LockMode }[];
  /** Whether the statement takes longer on a larger table. */
  readsTable: boolean;
  /** Whether the statement belongs outside a transaction, where others can read and write the table while it runs. */
  isConcurrent: boolean;
  /** Whether locks and time are unknown, because no migration shows which tables the called procedure changes. */
  isUnknown?: boolean;
  /** Whether the statement removes what a server of the previous version may need. */
  isContraction: boolean;
  /** What to write instead, if it would block a large table or is a kind of statement that this file does not know. */
  instead?: string;
};

type Kind = Partial<Omit<Effect, 'locks'>> & { pattern: RegExp; mode?: LockMode };

const concurrently = 'Use CONCURRENTLY, in a migration with the line "-- Outside a transaction".';
const notValid =
  'Add the constraint NOT VALID, and validate it in a migration with the line "-- Outside a transaction".';
const nullable =
  'Add a plain column, without a default or with a constant one. Fill it in batches in a migration with the line "-- Outside a transaction".';
const inBatches =
  'Change rows in batches: CALL a procedure that commits after each batch, in a migration with the line "-- Outside a transaction".';
const unknown = 'Describe this kind of statement in src/server/db/migrationStatements.ts.';
const constant = String.raw`(?:'[^']*'(?:::\w+(?:\[\])?)?|-?\d[\d.]*|true|false|null|now\(\)|current_timestamp)`;

/** Kinds of statements: the first one that matches applies. The group `table` of its pattern is the table that is locked. */
const kinds: Kind[] = [
  {
    pattern: /^CREATE (?:UNIQUE )?INDEX CONCURRENTLY .*? ?ON (?:ONLY )?(?<table>[\w.]+)/i,
    mode: 'SHARE UPDATE EXCLUSIVE',
    readsTable: true,
    isConcurrent: true,
  },
  {
    pattern: /^CREATE (?:UNIQUE )?INDEX .*? ?ON (?:ONLY )?(?<table>[\w.]+)/i,
    mode: 'SHARE',
    readsTable: true,
    instead: concurrently,
  },
  { pattern: /^DROP INDEX CONCURRENTLY /i, isConcurrent: true },
  { pattern: /^DROP INDEX /i, instead: concurrently },
  { pattern: /^CREATE TABLE .*\) ?(?:WITH \(.*\) ?)?$/i },
  {
    pattern: /^CREATE (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER .*? ON (?<table>[\w.]+)/i,
    mode: 'SHARE ROW EXCLUSIVE',
  },
  { pattern: /^DROP TRIGGER .* ON (?<table>[\w.]+)/i, mode: 'ACCESS EXCLUSIVE' },
  {
    pattern: /^CREATE (?:OR REPLACE )?(?:FUNCTION|PROCEDURE|VIEW|TYPE|SEQUENCE|EXTENSION|SCHEMA|DOMAIN) /i,
  },
  { pattern: /^ALTER FUNCTION \S+ SET (?!SCHEMA )/i },
  { pattern: /^ALTER TYPE \S+ ADD VALUE /i },
  { pattern: /^(?:GRANT|COMMENT ON) /i },
  { pattern: /^REVOKE .* FROM PUBLIC$/i },
  { pattern: /^REVOKE /i, isContraction: true },
  { pattern: /^DROP TABLE (?:IF EXISTS )?(?<table>[\w.]+)/i, mode: 'ACCESS EXCLUSIVE', isContraction: true },
  { pattern: /^DROP (?:FUNCTION|PROCEDURE|VIEW|TYPE|SEQUENCE) /i, isContraction: true },
  { pattern: /^INSERT INTO (?<table>[\w.]+)(?: \([^)]*\))? VALUES /i, mode: 'ROW EXCLUSIVE' },
  {
    pattern: /^(?:INSERT INTO|UPDATE|DELETE FROM) (?:ONLY )?(?<table>[\w.]+)/i,
    mode: 'ROW EXCLUSIVE',
    readsTable: true,
    instead: inBatches,
  },
];

/** Kinds of actions after `ALTER TABLE x`; a statement can have several actions. */
const alterations: Kind[] = [
  {
    pattern: /^ADD (?:CONSTRAINT \w+ )?FOREIGN KEY .* NOT VALID$/i,
    mode: 'SHARE ROW EXCLUSIVE',
  },
  {
    pattern: /^ADD (?:CONSTRAINT \w+ )?FOREIGN KEY /i,
    mode: 'SHARE ROW EXCLUSIVE',
    readsTable: true,
    instead: notValid,
  },
  { pattern: /^ADD CONSTRAINT .* NOT VALID$/i, mode: 'ACCESS EXCLUSIVE' },
  { pattern: /^ADD CONSTRAINT \w+ UNIQUE USING INDEX /i, mode: 'ACCESS EXCLUSIVE' },
  {
    pattern: /^ADD (?:CONSTRAINT |CHECK|UNIQUE|PRIMARY KEY|EXCLUDE)/i,
    mode: 'ACCESS EXCLUSIVE',
    readsTable: true,
    instead: notValid,
  },
  {
    pattern: /^VALIDATE CONSTRAINT /i,
    mode: 'SHARE UPDATE EXCLUSIVE',
    readsTable: true,
    isConcurrent: true,
  },
  {
    pattern:
      /^ADD (?:COLUMN )?(?:IF NOT EXISTS )?\w+ (?!.*\b(?:DEFAULT|CHECK|UNIQUE|PRIMARY KEY|GENERATED|\w*serial)\b)/i,
    mode: 'ACCESS EXCLUSIVE',
  },
  {
    pattern: new RegExp(
      String.raw`^ADD (?:COLUMN )?(?:IF NOT EXISTS )?\w+ (?!.*\b(?:REFERENCES|CHECK|UNIQUE|PRIMARY KEY|GENERATED|\w*serial)\b).*\bDEFAULT ${constant}(?: NOT NULL)?$`,
      'i',
    ),
    mode: 'ACCESS EXCLUSIVE',
  },
  { pattern: /^ADD /i, mode: 'ACCESS EXCLUSIVE', readsTable: true, instead: nullable },
  { pattern: /^ALTER (?:COLUMN )?\w+ (?:SET DEFAULT|DROP DEFAULT|DROP NOT NULL)/i, mode: 'ACCESS EXCLUSIVE' },
  { pattern: /^ALTER (?:COLUMN )?\w+ SET (?:STATISTICS|\()/i, mode: 'SHARE UPDATE EXCLUSIVE' },
  {
    pattern: /^ALTER (?:COLUMN )?\w+ SET NOT NULL/i,
    mode: 'ACCESS EXCLUSIVE',
    readsTable: true,
    isContraction: true,
    instead: notValid.replace('the constraint', 'CHECK (… IS NOT NULL)'),
  },
  {
    pattern: /^ALTER (?:COLUMN )?\w+ (?:SET DATA )?TYPE /i,
    mode: 'ACCESS EXCLUSIVE',
    readsTable: true,
    isContraction: true,
    instead: 'Add a second column, fill it in batches, and drop the first one in a later release.',
  },
  { pattern: /^SET \(/i, mode: 'SHARE UPDATE EXCLUSIVE' },
  { pattern: /^ENABLE (?:ALWAYS )?TRIGGER /i, mode: 'SHARE ROW EXCLUSIVE' },
  { pattern: /^DROP CONSTRAINT /i, mode: 'ACCESS EXCLUSIVE' },
  { pattern: /^(?:DROP (?:COLUMN )?|RENAME )/i, mode: 'ACCESS EXCLUSIVE', isContraction: true },
];

const tokens = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|[\s\S]/g;

/** The statements of a SQL file, without comments between them. */
export function splitStatements(sql: string): Statement[] {
  const statements: Statement[] = [];
  let [text, line, startLine] = ['', 1, 1];
  for (const [token] of sql.matchAll(tokens)) {
    const isComment = token.startsWith('--') || token.startsWith('/*');
    if (text === '') startLine = line;
    if (token === ';') {
      statements.push({ text: text.trim(), line: startLine });
      text = '';
    } else if (!isComment && (text !== '' || token.trim() !== '')) text += token;
    line += token.split('\n').length - 1;
  }
  if (text.trim() !== '') statements.push({ text: text.trim(), line: startLine });
  return statements;
}

/** Splits a text at the commas outside of parentheses. */
function splitActions(text: string): string[] {
  const actions = [''];
  let depth = 0;
  for (const [token] of text.matchAll(tokens)) {
    if (token === '(') depth++;
    if (token === ')') depth--;
    if (token === ',' && depth === 0) actions.push('');
    else actions[actions.length - 1] += token;
  }
  return actions.map(action => action.trim());
}

/** The procedures that these migrations create: the body of each, by its name. */
export function readProcedures(migrations: { text: string }[]): Map<string, string> {
  const procedures = new Map<string, string>();
  for (const { text } of migrations.flatMap(migration => splitStatements(migration.text))) {
    const [, name, , body] =
      /^CREATE (?:OR REPLACE )?PROCEDURE (\w+)[\s\S]*?\$(\w*)\$([\s\S]*)\$\2\$/i.exec(text) ?? [];
    if (name !== undefined) procedures.set(name, body!);
  }
  return procedures;
}

/** What a CALL does: its procedure changes rows in batches, and may search a table once per batch. */
function describeCall(body = ''): Effect {
  const code = body.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').replaceAll(/\s+/g, ' ');
  const changes = /\b(?:INSERT INTO|(?<!\b(?:FOR|KEY|DO) )UPDATE|DELETE FROM) (?:ONLY )?([\w.]+)/gi;
  const tables = new Set([...code.matchAll(changes)].map(([, table]) => table!));
  return {
    locks: [...tables].map(table => ({ table, mode: 'ROW EXCLUSIVE' })),
    readsTable: true,
    isConcurrent: true,
    isUnknown: tables.size === 0,
    isContraction: false,
  };
}

/** What a statement does. `procedures` are what a CALL can call. */
export function describeStatement(statement: string, procedures?: ReadonlyMap<string, string>): Effect {
  const text = statement.replaceAll(/\s+/g, ' ');
  const called = /^CALL (\w+)/i.exec(text);
  if (called) return describeCall(procedures?.get(called[1]!));
  const altered = /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(?<table>[\w.]+) (?<actions>.*)$/i.exec(
    text,
  )?.groups;
  const found = altered
    ? splitActions(altered.actions!).map(action => match(alterations, action))
    : [match(kinds, text)];
  const locks = found.flatMap(({ mode, table }) => {
    const locked = altered?.table ?? table;
    return mode && locked ? [{ table: locked, mode }] : [];
  });
  // A foreign key adds triggers to the table that it references, which locks that table too.
  const named = /^(?:CREATE|ALTER) TABLE /i.test(text)
    ? [...text.matchAll(/\bREFERENCES ([\w.]+)/gi)].map(([, table]) => ({
        table: table!,
        mode: 'SHARE ROW EXCLUSIVE' as const,
      }))
    : [];
  const instead = found.find(kind => kind.instead !== undefined)?.instead;
  return {
    locks: [...new Map([...locks, ...named].map(lock => [`${lock.table} ${lock.mode}`, lock])).values()],
    readsTable: found.some(kind => kind.readsTable),
    isConcurrent: found.every(kind => kind.isConcurrent),
    isContraction: found.some(kind => kind.isContraction),
    ...(instead !== undefined && { instead }),
  };
}

function match(list: Kind[], text: string): Kind & { table?: string | undefined } {
  for (const kind of list) {
    const found = kind.pattern.exec(text);
    if (found) return { ...kind, table: found.groups?.table };
  }
  return { pattern: /^/, instead: unknown };
}

/** Whether a migration has the line that makes `migrations.ts` run it statement by statement. */
export const isOutsideTransaction = (sql: string): boolean => /^-- Outside a transaction$/m.test(sql);

/** The version that a migration's line `-- Works with servers from 0031` names: the oldest server that can work after it. */
export const worksWithServersFrom = (sql: string): string | undefined =>
  /^-- Works with servers from (\d{4})$/m.exec(sql)?.[1];

/**
 * The statements of a migration that could block a large table or break a server of the previous version, each with what to
 * write instead.
 */
export function findUnsafeStatements(sql: string): (Statement & { instead: string })[] {
  const statements = splitStatements(sql);
  const isOutside = isOutsideTransaction(sql);
  const created = new Set(
    statements.flatMap(
      ({ text }) =>
        /^CREATE TABLE (?:IF NOT EXISTS )?([\w.]+)/i.exec(text.replaceAll(/\s+/g, ' '))?.[1] ?? [],
    ),
  );
  return statements.flatMap(statement => {
    const effect = describeStatement(statement.text);
    const isOnNewTable = effect.locks.length > 0 && effect.locks.every(({ table }) => created.has(table));
    let instead: string | undefined;
    if (isOutside !== effect.isConcurrent)
      instead = isOutside
        ? 'Write it in a migration of its own without the line "-- Outside a transaction".'
        : 'Write it in a migration of its own with the line "-- Outside a transaction".';
    else if (effect.instead !== undefined && !isOnNewTable) instead = effect.instead;
    else if (effect.isContraction && !isOnNewTable && worksWithServersFrom(sql) === undefined)
      instead =
        'Servers of the version before may need it: do it one release later, with the line "-- Works with servers from NNNN".';
    return instead === undefined ? [] : [{ ...statement, instead }];
  });
}
