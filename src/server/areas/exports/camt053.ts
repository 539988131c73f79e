/**
 * Transactions as an ISO 20022 bank-to-customer statement, camt.053.001.08. Each element is written in the order that the
 * message definition fixes. A pending payment is a booked entry: its money has left the balance.
 */
import { calendarDay } from '#contract/bankTime.ts';
import { bank } from '#contract/constants.ts';
import { centsToText, shorten, xml } from '../../base/fileText.ts';
import { type ExportLine, nameOfParty, noteOf } from '../../ledger/exportLines.ts';
import type { ExportFormat, ExportHead } from './format.ts';

/** The lengths of texts that the message definition allows: Max35Text, Max105Text, Max140Text. */
const [max35, max105, max140] = [35, 105, 140];

function amount(cents: bigint): string {
  const side = cents < 0n ? 'DBIT' : 'CRDT';
  const text = centsToText(cents < 0n ? -cents : cents);
  return `<Amt Ccy="${bank.currency}">${text}</Amt><CdtDbtInd>${side}</CdtDbtInd>`;
}

function balance(code: 'OPBD' | 'CLBD' | 'ITBD', cents: bigint, day: string): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(cents)}<Dt><Dt>${day}</Dt></Dt></Bal>\n`;
}

const isReversal = ({ transaction }: ExportLine) => transaction.type === 'reversal';

const otherBankTypes = new Set(['external-transfer', 'deposit']);

/**
 * The ISO 20022 transaction code: domain payments, then family and sub-family. A reversal has the family of the transaction
 * that it reverses.
 */
function codeOf(line: ExportLine): string {
  const { isReturn, transaction, cents } = line;
  const [family, subFamily] = isReturn
    ? ['ICDT', 'RRTN']
    : isReversal(line)
      ? [cents > 0n ? 'ICDT' : 'RCDT', 'RPCR']
      : [cents < 0n ? 'ICDT' : 'RCDT', otherBankTypes.has(transaction.type) ? 'DMCT' : 'BOOK'];
  return `<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>${family}</Cd><SubFmlyCd>${subFamily}</SubFmlyCd></Fmly></Domn></BkTxCd>`;
}

/** The other party. A return or reversal keeps the role that the party had in the original payment. */
function parties(line: ExportLine): string {
  const { externalBankDetails: other } = line.transaction;
  const isPaid = isReversal(line) ? line.cents > 0n : line.cents < 0n || line.isReturn;
  const role = isPaid ? 'Cdtr' : 'Dbtr';
  const name = `<${role}><Pty><Nm>${xml(shorten(nameOfParty(line), max140))}</Nm></Pty></${role}>`;
  if (!other) return `<RltdPties>${name}</RltdPties>`;
  const isIban = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(other.accountNumber);
  const number = xml(other.accountNumber);
  const id = isIban ? `<IBAN>${number}</IBAN>` : `<Othr><Id>${number}</Id></Othr>`;
  return [
    `<RltdPties>${name}<${role}Acct><Id>${id}</Id></${role}Acct></RltdPties>`,
    `<RltdAgts><${role}Agt><FinInstnId><Nm>${xml(shorten(other.bankName, max140))}</Nm></FinInstnId></${role}Agt></RltdAgts>`,
  ].join('');
}

/** An id of at most 35 characters: the transaction's UUID without hyphens. The id of a return ends with one more letter. */
const shortId = ({ transaction, isReturn }: ExportLine) =>
  `${transaction._id.replaceAll('-', '')}${isReturn ? 'R' : ''}`;

function remittance(line: ExportLine): string {
  const note = noteOf(line);
  if (line.isReturn) {
    const reason = line.returnReason ?? note;
    return `<RtrInf><AddtlInf>${xml(shorten(reason, max105))}</AddtlInf></RtrInf>`;
  }
  return note === '' ? '' : `<RmtInf><Ustrd>${xml(shorten(note, max140))}</Ustrd></RmtInf>`;
}

function statementId({ accountNumber, from, to, isPartial }: ExportHead): string {
  return shorten(`${accountNumber}-${from}-${to}`.replaceAll('-', '') + (isPartial ? 'F' : ''), max35);
}

export const camt053: ExportFormat = {
  contentType: 'application/xml; charset=utf-8',
  extension: 'xml',
  begin(head) {
    const { accountNumber, routingNumber, holder, from, to, until, openingCents, closingCents, isPartial } =
      head;
    const id = statementId(head);
    const made = `<CreDtTm>${until.toISOString()}</CreDtTm>`;
    return [
      '<?xml version="1.0" encoding="UTF-8"?>\n',
      '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>\n',
      `<GrpHdr><MsgId>${id}</MsgId>${made}</GrpHdr>\n`,
      `<Stmt><Id>${id}</Id>${made}`,
      `<FrToDt><FrDtTm>${from}T00:00:00</FrDtTm><ToDtTm>${to}T23:59:59</ToDtTm></FrToDt>\n`,
      `<Acct><Id><Othr><Id>${accountNumber}</Id></Othr></Id><Ccy>${bank.currency}</Ccy>`,
      `<Ownr><Nm>${xml(shorten(holder, max140))}</Nm></Ownr>`,
      `<Svcr><FinInstnId><ClrSysMmbId><ClrSysId><Cd>USABA</Cd></ClrSysId><MmbId>${routingNumber}</MmbId></ClrSysMmbId>`,
      `<Nm>${bank.name}</Nm></FinInstnId></Svcr></Acct>\n`,
      // Opening and closing balances would promise that the entries are complete.
      ...(isPartial
        ? [balance('ITBD', closingCents, to)]
        : [balance('OPBD', openingCents, from), balance('CLBD', closingCents, to)]),
    ].join('');
  },
  line(line) {
    const day = `<Dt>${calendarDay(line.at)}</Dt>`;
    return [
      `<Ntry><NtryRef>${shortId(line)}</NtryRef>${amount(line.cents)}`,
      line.isReturn || isReversal(line) ? '<RvslInd>true</RvslInd>' : '',
      `<Sts><Cd>BOOK</Cd></Sts><BookgDt>${day}</BookgDt><ValDt>${day}</ValDt>`,
      `<AcctSvcrRef>${line.transaction.reference}</AcctSvcrRef>${codeOf(line)}`,
      `<NtryDtls><TxDtls><Refs><AcctSvcrRef>${line.transaction.reference}</AcctSvcrRef></Refs>${amount(line.cents)}`,
      `${parties(line)}${remittance(line)}</TxDtls></NtryDtls></Ntry>\n`,
    ].join('');
  },
  end: ({ isPartial }) =>
    `${isPartial ? '<AddtlStmtInf>Filtered: not all entries of these days</AddtlStmtInf>' : ''}</Stmt></BkToCstmrStmt></Document>\n`,
};
