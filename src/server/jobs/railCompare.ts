/** Compares an outgoing file with the books, before it is sent and in a proof: an attacker can change what the database has. */
import { LRUCache } from 'lru-cache';
import { bank } from '#contract/constants.ts';
import type { Reader } from '../db/database.ts';
import {
  type CompareFile,
  type FiledLine,
  findUnjustified,
  linesOf,
  type StoredContent,
} from '../ledger/railProof.ts';
import { writtenName } from '../outside/rail/folder.ts';
import { readRailFile, settledLine } from '../outside/rail/formats.ts';
import { endToEndId, uetrOf, uetrPattern } from '../outside/rail/iso20022.ts';
import type { FileFormat, IncomingLine, PaymentRail } from '../outside/rail/rail.ts';
import { plainText } from '../outside/rail/railText.ts';

const maxId = 35;

/** What must agree: the kind of a line, the amount, the receiver's account, and the ids of the payment. */
type Facts = Pick<IncomingLine, 'kind' | 'amountCents' | 'keys' | 'accountNumber' | 'code' | 'routing'> & {
  currency?: string;
  reference: string;
};
const textOf = ({
  kind,
  amountCents,
  currency = bank.currency,
  keys,
  accountNumber,
  code,
  reference,
  routing = '',
}: Facts) =>
  JSON.stringify([
    kind,
    String(amountCents),
    currency,
    [...new Set(keys)].sort(),
    accountNumber.replace(/\s/g, '').toUpperCase(),
    code,
    reference,
    routing,
  ]);

/** What the other bank must read about a payment or an answer. */
function expected(line: FiledLine, format: string): Facts {
  const isAch = format === 'nacha';
  const { id, key, code, amountCents, reference, accountNumber, original, answeredFormat } = line;
  if (id !== null)
    return {
      kind: 'deposit',
      amountCents,
      keys: isAch ? [key ?? ''] : [uetrOf(id), reference ?? '', endToEndId(id), key ?? ''],
      accountNumber: accountNumber ?? '',
      code: '',
      reference: (isAch ? reference?.replaceAll('-', '') : reference) ?? '',
      ...(isAch && { routing: line.counterparty }),
    };
  const { endToEndId: end = '', transactionId = '', uetr = '', trace = '' } = original ?? {};
  const answer = { amountCents, accountNumber: '', reference: '' };
  if (code === null) {
    const settled = settledLine(answeredFormat as FileFormat, { amountCents, original: original ?? {} });
    const keys = idsOf(settled.endToEndId ?? '', settled.transactionId, settled.trace ?? '');
    return { ...answer, kind: 'settled', keys, code: '' };
  }
  const keys = isAch
    ? [trace.padStart(15, '0')]
    : [...idsOf(end, transactionId), ...(uetrPattern.test(uetr) ? [uetr] : [])];
  if (!isAch) return { ...answer, kind: 'returned', keys, code };
  // An entry goes back to the bank that is named in its batch, which may have sent it through the bank of the file.
  const routing = original?.routing ?? line.counterparty;
  return { ...answer, kind: 'returned', keys, accountNumber: accountNumber ?? '', code, routing };
}

/** Ids as the bank writes them. */
const idsOf = (...ids: string[]) => ids.map(id => plainText(id, maxId)).filter(isId);
const isId = (id: string) => id !== '' && id !== 'NOTPROVIDED';

/** Why a file does not have exactly these lines; undefined if it has. Never throws: an attacker can store any value. */
export const compareFile: CompareFile = async (file, lines, own) =>
  await compare(file, lines, own).catch((error: Error) => `its content cannot be read: ${error.message}`);

async function compare(
  { name, format, messageId, counterparty, content }: StoredContent,
  lines: readonly FiledLine[],
  own?: string,
): Promise<string | undefined> {
  if (!writtenName.test(name)) return 'its name is not one that the bank gives';
  const read = await readRailFile(Buffer.from(content), counterparty, true);
  if (read.format !== format || read.messageId !== messageId) return 'its content is another message';
  if (read.from !== (own ?? read.from)) return `its content is from ${read.from}`;
  const found = read.lines.map(line =>
    textOf({
      ...line,
      code: line.kind === 'returned' ? line.code : '',
      reference: settledLine(read.format, line).transactionId,
    }),
  );
  for (const line of lines) {
    const at = isTrue(line, counterparty) ? found.indexOf(textOf(expected(line, format))) : -1;
    if (at === -1)
      return `its content does not have the ${line.id === null ? 'answer' : `payment ${line.id}`} of line ${line.line}`;
    found.splice(at, 1);
  }
  if (found.length > 0) return `its content has ${found.length} lines that are not in the books`;
  return undefined;
}

/**
 * The banks of the payments of files that agreed, so that asking for the answers to the payments of a file does not read it for
 * each payment.
 */
const agreed = new LRUCache<string, ReadonlySet<string>>({ max: 1_000 });

/**
 * Why a file must not be sent; undefined if it has the content that was stored, exactly its submitted payments and true
 * answers, and comes from this bank's number and goes to the number that the directory now lists for the bank of each payment.
 */
export async function findFault(
  { database, rail }: { database: { reader: Reader }; rail: Pick<PaymentRail, 'routeTo' | 'routingNumber'> },
  file: StoredContent & { isUnchanged: boolean; hash: string },
): Promise<string | undefined> {
  if (!file.isUnchanged) return 'its stored content was changed';
  const key = [file.id, file.hash, file.name, file.counterparty, rail.routingNumber].join();
  let banks = agreed.get(key);
  if (banks === undefined) {
    const [unjustified] = await findUnjustified(database.reader, 1, file.id);
    if (unjustified !== undefined) return `the books do not justify ${unjustified}`;
    const lines = await linesOf(database.reader, file.id);
    const why = await compareFile(file, lines, rail.routingNumber);
    if (why !== undefined) return why;
    banks = new Set(lines.flatMap(({ bankName }) => bankName ?? []));
    agreed.set(key, banks);
  }
  for (const bankName of banks) {
    // A bank that left the directory has no route.
    const route = rail.routeTo(bankName) ?? file.counterparty;
    if (route !== file.counterparty) return `it goes to ${file.counterparty} instead of ${route}`;
  }
  return undefined;
}

/** Whether a line goes to the bank of the file, and an answer names the payment that it answers and goes to its bank. */
const isTrue = ({ counterparty, answeredBank, keys, original }: FiledLine, to: string): boolean =>
  counterparty === to &&
  (answeredBank ?? to) === to &&
  ['uetr', 'transactionId', 'endToEndId', 'trace']
    .map(name => original?.[name] ?? '')
    .every(id => !isId(id) || keys!.includes(id));
