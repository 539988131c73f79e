/**
 * The rail's ISO 20022 messages: pacs.008.001.08 (payments), pacs.004.001.09 (returns) and camt.054.001.08 (what was debited
 * and credited). Each element is written in the order that the message definition fixes.
 */
import { hash } from 'node:crypto';
import { bank, maxLength } from '#contract/constants.ts';
import { looksLikeIban } from '#contract/transfer.ts';
import { centsToText, xml } from '../../base/fileText.ts';
import { toId } from '../../base/uuid.ts';
import {
  type FileHead,
  type IncomingFile,
  type IncomingLine,
  type PaymentLine,
  RailFileError,
  type ReturnLine,
  type SettledLine,
  type WrittenFile,
} from './rail.ts';
import { checkId, nameText, plainText, readableText, textToCents } from './railText.ts';
import { checkWritten, declaration } from './writtenIso.ts';
import { childrenOf, find, isAmbiguous, readXml, textAt, type XmlElement } from './xmlTree.ts';

/** The scheme of routing numbers (ABA). */
const routingScheme = 'USABA';
/** Max34Text, Max35Text, Max140Text, and the length of a UETR. */
const [max34, max35, max140, uetrLength] = [34, 35, 140, 36];
/** What a sender without an end-to-end id writes instead. */
const notProvided = 'NOTPROVIDED';
const namespaceOf = (name: string) => `urn:iso:std:iso:20022:tech:xsd:${name}`;

const withoutHyphens = (id: string) => id.replaceAll('-', '');

/** The end-to-end id of a payment. */
export const endToEndId = withoutHyphens;

/** The unique end-to-end transaction reference (UETR) of a payment: a UUIDv4, as the definition requires, derived from `id`. */
export function uetrOf(id: string): string {
  const hex = hash('sha256', `uetr ${id}`).slice(0, 32);
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) % 4]!;
  return toId(`${hex.slice(0, 12)}4${hex.slice(13, 16)}${variant}${hex.slice(17)}`);
}

const text = (name: string, value: string, most = max140, spell = plainText): string => {
  const spelled = spell(value, most);
  return spelled === '' ? '' : `<${name}>${xml(spelled)}</${name}>`;
};
const amount = (name: string, cents: bigint) =>
  `<${name} Ccy="${bank.currency}">${centsToText(cents)}</${name}>`;
const member = (routing: string) =>
  `<ClrSysMmbId><ClrSysId><Cd>${routingScheme}</Cd></ClrSysId><MmbId>${routing}</MmbId></ClrSysMmbId>`;
const agent = (name: string, routing: string, called = '', spell = plainText) =>
  `<${name}><FinInstnId>${member(routing)}${text('Nm', called, max140, spell)}</FinInstnId></${name}>`;
/** The element of a person or company. The definition requires a name. */
const party = (name: string, called: string, spell = plainText) =>
  `<${name}>${text('Nm', nameText(called, max140, spell), max140, spell)}</${name}>`;
function account(name: string, number: string): string {
  const id = looksLikeIban(number)
    ? `<IBAN>${number.toUpperCase()}</IBAN>`
    : `<Othr><Id>${xml(number)}</Id></Othr>`;
  return `<${name}><Id>${id}</Id></${name}>`;
}

const sum = (lines: readonly { amountCents: bigint }[]) =>
  lines.reduce((total, { amountCents }) => total + amountCents, 0n);

/** Wraps a message with its header, and names its file. */
function toFile(
  head: FileHead,
  { message, root, kind, before, body }: Record<'message' | 'root' | 'kind' | 'before' | 'body', string>,
): WrittenFile {
  const messageId = withoutHyphens(head.id);
  const content = [
    `${declaration}\n`,
    `<Document xmlns="${namespaceOf(message)}"><${root}>\n`,
    `<GrpHdr><MsgId>${messageId}</MsgId><CreDtTm>${head.madeAt.toISOString()}</CreDtTm>${before}</GrpHdr>\n`,
    body,
    `</${root}></Document>\n`,
  ].join('');
  return { name: `${kind}-${head.settlesOn}-${messageId.slice(-12)}.xml`, messageId, content };
}

/** The header's counts and sums, date and method of settlement, and the two banks. `total`: the name of the sum's element. */
const settlement = (head: FileHead, lines: readonly { amountCents: bigint }[], total: string) =>
  [
    `<NbOfTxs>${lines.length}</NbOfTxs><CtrlSum>${centsToText(sum(lines))}</CtrlSum>${amount(total, sum(lines))}`,
    `<IntrBkSttlmDt>${head.settlesOn}</IntrBkSttlmDt>`,
    '<SttlmInf><SttlmMtd>CLRG</SttlmMtd><ClrSys><Cd>ACH</Cd></ClrSys></SttlmInf>',
    `${agent('InstgAgt', head.from)}${agent('InstdAgt', head.to)}`,
  ].join('');

/** `spell` converts the names of the sender and its bank; `readableText` keeps characters that `plainText` replaces. */
export function writePayments(
  head: FileHead,
  payments: readonly PaymentLine[],
  spell = plainText,
): WrittenFile {
  return toFile(head, {
    message: 'pacs.008.001.08',
    root: 'FIToFICstmrCdtTrf',
    kind: 'pacs008',
    before: settlement(head, payments, 'TtlIntrBkSttlmAmt'),
    body: payments
      .map(payment =>
        [
          `<CdtTrfTxInf><PmtId><InstrId>${payment.reference}</InstrId><EndToEndId>${endToEndId(payment.id)}</EndToEndId>`,
          `<TxId>${payment.reference}</TxId><UETR>${uetrOf(payment.id)}</UETR></PmtId>`,
          amount('IntrBkSttlmAmt', payment.amountCents),
          `<AccptncDtTm>${payment.sentAt.toISOString()}</AccptncDtTm><ChrgBr>SLEV</ChrgBr>`,
          party('Dbtr', payment.senderName, spell),
          payment.senderNumber === undefined ? '' : account('DbtrAcct', payment.senderNumber),
          agent('DbtrAgt', head.from, head.fromName, spell),
          `<CdtrAgt><FinInstnId>${text('Nm', nameText(payment.bankName, max140))}</FinInstnId></CdtrAgt>`,
          `${party('Cdtr', payment.accountName)}${account('CdtrAcct', payment.accountNumber)}`,
          plainText(payment.description, max140) === ''
            ? ''
            : `<RmtInf>${text('Ustrd', payment.description)}</RmtInf>`,
          '</CdtTrfTxInf>\n',
        ].join(''),
      )
      .join(''),
  });
}

/** The ids of a returned payment, in the order of the definition. */
const originalIds = {
  OrgnlInstrId: 'instructionId',
  OrgnlEndToEndId: 'endToEndId',
  OrgnlTxId: 'transactionId',
} as const;
export const uetrPattern = /^[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}$/;

export function writeReturns(head: FileHead, returns: readonly ReturnLine[]): WrittenFile {
  return toFile(head, {
    message: 'pacs.004.001.09',
    root: 'PmtRtr',
    kind: 'pacs004',
    before: settlement(head, returns, 'TtlRtrdIntrBkSttlmAmt'),
    body: returns
      .map(({ original, amountCents, code }, index) =>
        [
          `<TxInf><RtrId>${withoutHyphens(head.id).slice(-20)}-${index + 1}</RtrId>`,
          original.messageId
            ? `<OrgnlGrpInf>${text('OrgnlMsgId', original.messageId, max35)}${text('OrgnlMsgNmId', 'pacs.008.001.08', max35)}</OrgnlGrpInf>`
            : '',
          ...Object.entries(originalIds).map(([name, key]) => text(name, original[key] ?? '', max35)),
          uetrPattern.test(original.uetr ?? '') ? `<OrgnlUETR>${original.uetr}</OrgnlUETR>` : '',
          `${amount('OrgnlIntrBkSttlmAmt', amountCents)}${amount('RtrdIntrBkSttlmAmt', amountCents)}`,
          `<RtrRsnInf><Rsn><Cd>${code}</Cd></Rsn></RtrRsnInf></TxInf>\n`,
        ].join(''),
      )
      .join(''),
  });
}

export function writeNotice(head: FileHead, lines: readonly SettledLine[]): WrittenFile {
  const id = withoutHyphens(head.id);
  const total = centsToText(sum(lines));
  const count = `<NbOfNtries>${lines.length}</NbOfNtries><Sum>${total}</Sum>`;
  const side = (cents: bigint) => `${amount('Amt', cents)}<CdtDbtInd>DBIT</CdtDbtInd>`;
  return toFile(head, {
    message: 'camt.054.001.08',
    root: 'BkToCstmrDbtCdtNtfctn',
    kind: 'camt054',
    before: '',
    body: [
      `<Ntfctn><Id>${id}</Id><CreDtTm>${head.madeAt.toISOString()}</CreDtTm>`,
      `<Acct><Id><Othr><Id>${head.to}</Id><SchmeNm><Prtry>${routingScheme}</Prtry></SchmeNm></Othr></Id>`,
      `<Ccy>${bank.currency}</Ccy>${agent('Svcr', head.from)}</Acct>`,
      `<TxsSummry><TtlNtries>${count}</TtlNtries><TtlDbtNtries>${count}</TtlDbtNtries></TxsSummry>\n`,
      ...lines.map(line =>
        [
          `<Ntry>${side(line.amountCents)}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${head.settlesOn}</Dt></BookgDt>`,
          '<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>DMCT</SubFmlyCd></Fmly></Domn></BkTxCd>',
          `<NtryDtls><TxDtls><Refs><EndToEndId>${plainText(line.endToEndId ?? '', max35) || notProvided}</EndToEndId>`,
          `${text('TxId', line.transactionId, max35)}${line.trace ? `<ClrSysRef>${line.trace}</ClrSysRef>` : ''}</Refs>`,
          `${side(line.amountCents)}</TxDtls></NtryDtls></Ntry>\n`,
        ].join(''),
      ),
      '</Ntfctn>\n',
    ].join(''),
  });
}

/** The elements of which a message that this bank writes can have several. */
const lists: ReadonlySet<string> = new Set(['CdtTrfTxInf', 'TxInf', 'Ntry']);

/**
 * Reads one of the three messages. `own`: the routing number to which it must be addressed. `isStrict`: refuses a message that
 * does not name its addressee, that other programs could read in another way, or that this bank does not write.
 */
export async function readIso(content: string, own: string, isStrict = false): Promise<IncomingFile> {
  const document = await readXml(content);
  const message = document.children[0];
  const name = document.namespace.replace(namespaceOf(''), '');
  const reader = Object.hasOwn(readers, name) ? readers[name] : undefined;
  if (document.name !== 'Document' || !message || !reader)
    throw new RailFileError(
      `The bank does not read files of the kind “${(name || document.name).slice(0, max140)}”.`,
    );
  if (document.children.length > 1) throw new RailFileError('The file has more than one message.');
  const header = need(find(message, 'GrpHdr'), 'GrpHdr');
  const messageId = idAt(header, 'MsgId');
  if (messageId === '') throw new RailFileError('The message has no id.');
  // A notice has no instructed agent. Its account is the routing number of a bank, or else an account number, which says
  // nothing about the bank and can look like a routing number.
  const accounts = childrenOf(message, 'Ntfctn').flatMap(notice => find(notice, 'Acct/Id/Othr') ?? []);
  const addressees = [
    textAt(header, memberOf('InstdAgt')),
    ...accounts
      .filter(account => isStrict || textAt(account, 'SchmeNm/Prtry') === routingScheme)
      .map(account => textAt(account, 'Id')),
  ];
  const other = addressees.find(addressee => addressee !== '' && addressee !== own);
  if (other !== undefined) throw new RailFileError(`The message is addressed to ${other.slice(0, max35)}.`);
  if (isStrict && (!addressees.includes(own) || isAmbiguous(document, lists)))
    throw new RailFileError('The message has no addressee, or an element twice.');
  if (isStrict) checkWritten(content, document, name, textAt(message, reader.from));
  const lines = reader.read(message, messageId);
  if (lines.length === 0) throw new RailFileError('The message has no transaction.');
  return { format: reader.format, messageId, from: idAt(message, reader.from), lines };
}

function need(element: XmlElement | undefined, name: string): XmlElement {
  if (!element) throw new RailFileError(`The message has no ${name}.`);
  return element;
}

function readAmount(element: XmlElement, path: string): { amountCents: bigint; currency: string } {
  const found = need(find(element, path), path);
  return {
    amountCents: textToCents(found.text.trim()),
    currency: readableText(found.attributes.Ccy ?? '', max35),
  };
}

const idAt = (element: XmlElement, path: string, most = max35) => checkId(textAt(element, path), most);
const uetrAt = (element: XmlElement, path: string) => idAt(element, path, uetrLength).toLowerCase();
const accountAt = (element: XmlElement, path: string) =>
  idAt(element, `${path}/Id/IBAN`, max34) || idAt(element, `${path}/Id/Othr/Id`, max34);
const idsOf = (...ids: string[]) => [...new Set(ids.filter(id => id !== '' && id !== notProvided))];

/** The defaults of fields that a line does not have. */
const empty = {
  keys: [],
  accountNumber: '',
  partyName: '',
  bankName: '',
  code: '',
  text: '',
  ref: '',
  original: {},
} satisfies Partial<IncomingLine>;

/** Checks the count and the sum that a header announces. An empty one is not checked. */
function checkTotals(
  announced: { count: string; sum: string; what: string },
  lines: readonly { amountCents: bigint }[],
): void {
  const { count, sum: total, what } = announced;
  if (count !== '' && !(/^\d{1,15}$/.test(count) && Number(count) === lines.length))
    throw new RailFileError(`${what} announces ${count.slice(0, 20)} transactions and has ${lines.length}.`);
  if (total !== '' && textToCents(total) !== sum(lines))
    throw new RailFileError(
      `${what} announces a sum of ${total.slice(0, 20)}; its transactions add up to ${centsToText(sum(lines))}.`,
    );
}

function checkHeader(message: XmlElement, totalName: string, lines: readonly IncomingLine[]): void {
  const header = find(message, 'GrpHdr')!;
  const count = textAt(header, 'NbOfTxs');
  if (count === '') throw new RailFileError('The header has no NbOfTxs.');
  checkTotals({ count, sum: textAt(header, 'CtrlSum'), what: 'The header' }, lines);
  checkTotals({ count, sum: textAt(header, totalName), what: 'The header' }, lines);
}

function readPayments(message: XmlElement, messageId: string): IncomingLine[] {
  const instructing = idAt(message, instructingAgent);
  const lines = childrenOf(message, 'CdtTrfTxInf').map((payment, index): IncomingLine => {
    const [instructionId, endToEnd, transactionId] = ['InstrId', 'EndToEndId', 'TxId'].map(id =>
      idAt(payment, `PmtId/${id}`),
    ) as [string, string, string];
    const uetr = uetrAt(payment, 'PmtId/UETR');
    const keys = idsOf(uetr, transactionId, endToEnd);
    // Only a UETR is unique across banks. The bank that made the message can claim that any bank is the sender's, so the
    // reference starts with the id of the bank that made the message.
    const agents = [...new Set([instructing, idAt(payment, memberOf('DbtrAgt'))])].filter(id => id !== '');
    const id = idsOf(transactionId, endToEnd)[0] ?? `${messageId}-${index + 1}`;
    const ref = uetrPattern.test(uetr) ? uetr : [...agents, id].join(':');
    return {
      ...empty,
      kind: 'deposit',
      ...readAmount(payment, 'IntrBkSttlmAmt'),
      keys,
      accountNumber: accountAt(payment, 'CdtrAcct'),
      partyName: readableText(textAt(payment, 'Dbtr/Nm'), maxLength.accountName),
      bankName: readableText(textAt(payment, 'DbtrAgt/FinInstnId/Nm'), maxLength.bankName),
      text: readableText(textAt(payment, 'RmtInf/Ustrd'), max140),
      ref: `iso:${ref}`,
      original: { messageId, instructionId, endToEndId: endToEnd, transactionId, uetr },
    };
  });
  checkHeader(message, 'TtlIntrBkSttlmAmt', lines);
  return lines;
}

function readReturns(message: XmlElement): IncomingLine[] {
  const lines = childrenOf(message, 'TxInf').map(
    (entry): IncomingLine => ({
      ...empty,
      kind: 'returned',
      ...readAmount(entry, 'RtrdIntrBkSttlmAmt'),
      keys: idsOf(idAt(entry, 'OrgnlEndToEndId'), idAt(entry, 'OrgnlTxId'), uetrAt(entry, 'OrgnlUETR')),
      accountNumber: accountAt(entry, 'OrgnlTxRef/CdtrAcct'),
      code: readableText(textAt(entry, 'RtrRsnInf/Rsn/Cd') || textAt(entry, 'RtrRsnInf/Rsn/Prtry'), max35),
      text: readableText(textAt(entry, 'RtrRsnInf/AddtlInf'), max140),
    }),
  );
  checkHeader(message, 'TtlRtrdIntrBkSttlmAmt', lines);
  return lines;
}

/**
 * The entries of the notifications. An entry that is not booked, or is a reversed debit, has the kind `other`. An entry without
 * details is one line.
 */
function readNotice(message: XmlElement): IncomingLine[] {
  return childrenOf(message, 'Ntfctn').flatMap(notification => {
    const entries = childrenOf(notification, 'Ntry').map(entry => ({ entry, ...readAmount(entry, 'Amt') }));
    for (const [name, side] of [
      ['TtlNtries', undefined],
      ['TtlCdtNtries', 'CRDT'],
      ['TtlDbtNtries', 'DBIT'],
    ] as const) {
      const of = entries.filter(({ entry }) => side === undefined || textAt(entry, 'CdtDbtInd') === side);
      const at = `TxsSummry/${name}`;
      checkTotals(
        {
          count: textAt(notification, `${at}/NbOfNtries`),
          sum: textAt(notification, `${at}/Sum`),
          what: name,
        },
        of,
      );
    }
    return entries.flatMap(({ entry, amountCents, currency }) => {
      const status = textAt(entry, 'Sts/Cd') || textAt(entry, 'Sts');
      const details = childrenOf(entry, 'NtryDtls').flatMap(each => childrenOf(each, 'TxDtls'));
      const parts = details.length > 0 ? details : [entry];
      const lines = parts.map((part): IncomingLine => {
        const own =
          parts.length > 1 || find(part, 'Amt') ? readAmount(part, 'Amt') : { amountCents, currency };
        const isDebit = (textAt(part, 'CdtDbtInd') || textAt(entry, 'CdtDbtInd')) === 'DBIT';
        const isReversal = !['', 'false', '0'].includes(textAt(entry, 'RvslInd'));
        return {
          ...empty,
          ...own,
          kind: status !== 'BOOK' || (isDebit && isReversal) ? 'other' : isDebit ? 'settled' : 'credit',
          keys: idsOf(
            ...['EndToEndId', 'TxId', 'ClrSysRef'].map(id => idAt(part, `Refs/${id}`)),
            uetrAt(part, 'Refs/UETR'),
          ),
          accountNumber: accountAt(part, 'RltdPties/CdtrAcct'),
        };
      });
      if (sum(lines) !== amountCents)
        throw new RailFileError(
          `An entry of ${centsToText(amountCents)} has details that add up to ${centsToText(sum(lines))}.`,
        );
      return lines;
    });
  });
}

const memberOf = (name: string) => `${name}/FinInstnId/ClrSysMmbId/MmbId`;
/** The path to the bank that made a payment message. */
const instructingAgent = memberOf('GrpHdr/InstgAgt');

/** `from`: the path to the bank that made the message. */
const readers: Readonly<
  Record<
    string,
    {
      format: IncomingFile['format'];
      from: string;
      read: (message: XmlElement, messageId: string) => IncomingLine[];
    }
  >
> = {
  'pacs.008.001.08': { format: 'pacs.008', from: instructingAgent, read: readPayments },
  'pacs.004.001.09': { format: 'pacs.004', from: instructingAgent, read: readReturns },
  'camt.054.001.08': { format: 'camt.054', from: memberOf('Ntfctn/Acct/Svcr'), read: readNotice },
};
