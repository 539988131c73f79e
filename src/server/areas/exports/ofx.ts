/** Transactions as OFX 2.2 (Open Financial Exchange, sections 11.4.1 to 11.4.4), for bookkeeping programs. */
import { calendarDay, clockTime } from '#contract/bankTime.ts';
import { bank } from '#contract/constants.ts';
import { centsToText, shorten, xml } from '../../base/fileText.ts';
import { type ExportLine, nameOfParty, noteOf } from '../../ledger/exportLines.ts';
import type { ExportFormat } from './format.ts';

const maxName = 32;
const maxMemo = 255;

/** The bank's local time with its offset, as `20261122094100[-5:EST]`: programs take the day from the digits. */
function ofxTime(at: Date): string {
  const local = `${calendarDay(at)}${clockTime(at)}`.replace(/\D/g, '');
  const shiftMs = Date.parse(`${calendarDay(at)}T${clockTime(at)}Z`) - at.getTime();
  const hours = Math.round(shiftMs / 3_600_000);
  return `${local}[${hours}:${hours === -4 ? 'EDT' : 'EST'}]`;
}

function typeOf({ isReturn, transaction, cents }: ExportLine): string {
  if (isReturn || transaction.type === 'admin-credit') return 'CREDIT';
  if (transaction.type === 'external-transfer') return 'PAYMENT';
  return cents < 0n ? 'DEBIT' : 'CREDIT';
}

const status = '<STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS>';
/** The first second of a day, or its last. */
const day = (text: string, time: '000000' | '235959') => `${text.replaceAll('-', '')}${time}`;

export const ofx: ExportFormat = {
  contentType: 'application/x-ofx; charset=utf-8',
  extension: 'ofx',
  begin: ({ accountNumber, routingNumber, from, to, until }) =>
    [
      '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
      '<?OFX OFXHEADER="200" VERSION="220" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>',
      `<OFX><SIGNONMSGSRSV1><SONRS>${status}<DTSERVER>${ofxTime(until)}</DTSERVER><LANGUAGE>ENG</LANGUAGE>`,
      `<FI><ORG>${bank.name}</ORG><FID>${routingNumber}</FID></FI></SONRS></SIGNONMSGSRSV1>`,
      `<BANKMSGSRSV1><STMTTRNRS><TRNUID>0</TRNUID>${status}<STMTRS><CURDEF>${bank.currency}</CURDEF>`,
      `<BANKACCTFROM><BANKID>${routingNumber}</BANKID><ACCTID>${accountNumber}</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM>`,
      `<BANKTRANLIST><DTSTART>${day(from, '000000')}</DTSTART><DTEND>${day(to, '235959')}</DTEND>`,
      '',
    ].join('\n'),
  line(line) {
    const name = nameOfParty(line);
    // A name that is too long is cut. The memo then holds the full name.
    const memo = [name.length > maxName && name, noteOf(line)].filter(Boolean).join(' · ');
    return [
      `<STMTTRN><TRNTYPE>${typeOf(line)}</TRNTYPE><DTPOSTED>${ofxTime(line.at)}</DTPOSTED>`,
      `<TRNAMT>${centsToText(line.cents)}</TRNAMT><FITID>${line.id}</FITID>`,
      `<REFNUM>${line.transaction.reference}</REFNUM><NAME>${xml(shorten(name, maxName))}</NAME>`,
      memo && `<MEMO>${xml(shorten(memo, maxMemo))}</MEMO>`,
      '</STMTTRN>\n',
    ].join('');
  },
  // If the export ends before today, the balance is dated to its last day, because programs reconcile against that date.
  end: ({ closingCents, to, until }) =>
    `</BANKTRANLIST><LEDGERBAL><BALAMT>${centsToText(closingCents)}</BALAMT><DTASOF>${to < calendarDay(until) ? day(to, '235959') : ofxTime(until)}</DTASOF></LEDGERBAL>\n</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n`,
};
