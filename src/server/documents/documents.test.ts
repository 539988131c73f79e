/** Documents of several customers at once: a long document does not delay those of others. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, expect, test } from 'vitest';
import type { Statement, StatementLine } from '../ledger/statements.ts';
import { openDocuments } from './documents.ts';

const documents = openDocuments('800000006');
afterAll(() => documents.close());

const at = new Date('2026-11-10T12:00:00Z');
const payment: StatementLine = { at, cents: -1n, name: 'Zoë Ünal', note: 'Rent', reference: 'LB-1' };
const many = (count: number): StatementLine[] => Array.from({ length: count }, () => payment);

async function* inChunks(lines: StatementLine[], size: number): AsyncGenerator<StatementLine[]> {
  for (let at = 0; at < lines.length; at += size) yield lines.slice(at, at + size);
}
const pending = (count: number) => ({ pending: inChunks(many(count), 250), pendingCount: count });

const toStatement = (parts: Partial<Statement>): Statement => ({
  month: '2026-11',
  from: '2026-11-01',
  to: '2026-11-30',
  isSoFar: true,
  openingCents: 0n,
  closingCents: 0n,
  inCents: 0n,
  outCents: 0n,
  count: 0,
  holder: 'Nora Quist',
  accountNumber: '100000000001',
  at,
  ...pending(0),
  lines: inChunks([], 1),
  contentHashOf: () => Buffer.alloc(0),
  ...parts,
});

async function make(parts: Partial<Statement>): Promise<number> {
  let size = 0;
  for await (const bytes of documents.statement(toStatement(parts))) size += (bytes as Uint8Array).length;
  return size;
}

test('a statement is made for every number of pending payments from 0 to 23 [RX-15]', async () => {
  const sizes = await Promise.all(Array.from({ length: 24 }, (_, n) => make(pending(n))));
  expect(Math.min(...sizes)).toBeGreaterThan(1_000);
});

test('thousands of pending payments of a customer do not delay the documents of others [RX-34]', async () => {
  const order: string[] = [];
  const long = make(pending(4_000)).then(() => order.push('long'));
  const short = make({}).then(() => order.push('short'));
  await Promise.all([long, short]);
  expect(order).toEqual(['short', 'long']);
});

test('a statement of very many movements does not delay the documents of others [RX-34]', async () => {
  const order: string[] = [];
  // A `count` above 10,000 puts the long statement into the second thread. One thread would take one chunk of each in turn, so
  // the long statement with its only chunk would end first.
  const long = make({ count: 20_000, closingCents: -4_000n, lines: inChunks(many(4_000), 4_000) });
  const short = make({ count: 20, closingCents: -20n, lines: inChunks(many(20), 1) });
  await Promise.all([long.then(() => order.push('long')), short.then(() => order.push('short'))]);
  expect(order).toEqual(['short', 'long']);
});

test('a document fails if its thread ends while its movements are still being read', async () => {
  const own = openDocuments('800000006');
  const resumed = Promise.withResolvers<void>();
  async function* lines() {
    await resumed.promise;
    yield many(1);
  }
  const pieces = own.statement(toStatement({ count: 1, closingCents: -1n, lines: lines() }));
  const made = expect(pieces.toArray()).rejects.toThrow('has ended');
  await once(pieces, 'readable');
  await own.close();
  resumed.resolve();
  await made;
});

test.skipIf(process.platform !== 'linux')(
  'while there is no memory for a thread, a document is refused as busy; once there is, the document is made [RX-34]',
  () => {
    // The process limits its memory to 2 MB more than it has. The stack of a thread needs 4 MB.
    const script = `
      import { execFileSync } from 'node:child_process';
      import { readFileSync } from 'node:fs';
      const { openDocuments } = await import(process.argv[1]);
      const documents = openDocuments('800000006');
      const receipt = { at: new Date(), reference: 'LB-1', amount: '$1.00', facts: [] };
      const make = () => documents.receipt(receipt).toArray().then(pieces => pieces.length > 0, error => error.code);
      const limit = bytes => execFileSync('prlimit', ['--pid', process.pid, '--as=' + bytes + ':']);
      const [, kilobytes] = /VmSize:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
      limit(1024 * kilobytes + 2 ** 21);
      const made = [await make()];
      limit('unlimited');
      console.log(JSON.stringify([...made, await make()]));
      await documents.close();`;
    const module = new URL('./documents.ts', import.meta.url).href;
    const args = ['-e', script, module];
    expect(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))).toEqual(['BUSY', true]);
  },
);
