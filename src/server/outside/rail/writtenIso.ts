/** The elements of the ISO 20022 messages that this bank writes, and has written since release 1.0.0. */
import { RailFileError } from './rail.ts';
import type { XmlElement } from './xmlTree.ts';

export const declaration = '<?xml version="1.0" encoding="UTF-8"?>';

const under = (parent: string, children: readonly string[]) => children.map(child => `${parent}/${child}`);
const member = under('FinInstnId/ClrSysMmbId', ['ClrSysId/Cd=USABA', 'MmbId']);
const agent = (name: string) => under(name, member);
const account = ['Id/IBAN', 'Id/Othr/Id'];

const head = ['MsgId', 'CreDtTm'];
const settlement = (total: string) =>
  under('GrpHdr', [
    ...head,
    'NbOfTxs',
    'CtrlSum',
    total,
    'IntrBkSttlmDt',
    'SttlmInf/SttlmMtd=CLRG',
    'SttlmInf/ClrSys/Cd=ACH',
    ...agent('InstgAgt'),
    ...agent('InstdAgt'),
  ]);

/** The paths of each message, with the value of those that always have the same one. */
const written: Readonly<Record<string, readonly string[]>> = {
  'pacs.008.001.08': under('FIToFICstmrCdtTrf', [
    ...settlement('TtlIntrBkSttlmAmt'),
    ...under('CdtTrfTxInf', [
      ...under('PmtId', ['InstrId', 'EndToEndId', 'TxId', 'UETR']),
      'IntrBkSttlmAmt',
      'AccptncDtTm',
      'ChrgBr=SLEV',
      'Dbtr/Nm',
      'Cdtr/Nm',
      'RmtInf/Ustrd',
      ...under('DbtrAcct', account),
      ...agent('DbtrAgt'),
      ...under('DbtrAgt', ['FinInstnId/Nm']),
      // The bank of the receiver is the one to which the message goes, so it has a name here and no number.
      'CdtrAgt/FinInstnId/Nm',
      ...under('CdtrAcct', account),
    ]),
  ]),
  'pacs.004.001.09': under('PmtRtr', [
    ...settlement('TtlRtrdIntrBkSttlmAmt'),
    ...under('TxInf', [
      'RtrId',
      'OrgnlGrpInf/OrgnlMsgId',
      'OrgnlGrpInf/OrgnlMsgNmId',
      'RtrRsnInf/Rsn/Cd',
      'OrgnlInstrId',
      'OrgnlEndToEndId',
      'OrgnlTxId',
      'OrgnlUETR',
      'OrgnlIntrBkSttlmAmt',
      'RtrdIntrBkSttlmAmt',
    ]),
  ]),
  'camt.054.001.08': under('BkToCstmrDbtCdtNtfctn', [
    ...under('GrpHdr', head),
    ...under('Ntfctn', [
      'Id',
      'CreDtTm',
      'Acct/Id/Othr/Id',
      'Acct/Id/Othr/SchmeNm/Prtry=USABA',
      'Acct/Ccy',
      ...under('Acct', agent('Svcr')),
      ...under('TxsSummry/TtlNtries', ['NbOfNtries', 'Sum']),
      ...under('TxsSummry/TtlDbtNtries', ['NbOfNtries', 'Sum']),
      ...under('Ntry', [
        'Amt',
        'CdtDbtInd',
        'Sts/Cd',
        'BookgDt/Dt',
        ...under('BkTxCd/Domn', ['Cd', 'Fmly/Cd', 'Fmly/SubFmlyCd']),
        ...under('NtryDtls/TxDtls', ['Amt', 'CdtDbtInd']),
        ...under('NtryDtls/TxDtls/Refs', ['EndToEndId', 'TxId', 'ClrSysRef']),
      ]),
    ]),
  ]),
};

/** The paths of each message with their fixed values, if any. An element that has only elements has an empty text. */
const shapes = new Map(
  Object.entries(written).map(([message, paths]) => {
    const shape = new Map<string, string | undefined>([['', '']]);
    for (const each of paths) {
      const [path, value] = each.split('=') as [string, string?];
      for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
        shape.set(path.slice(0, end), '');
      shape.set(path, value);
    }
    return [message, shape] as const;
  }),
);

/** Refuses a message with anything that this bank does not write. `from`: the number of the bank that made the message. */
export function checkWritten(content: string, document: XmlElement, message: string, from: string): void {
  const foreign = findForeign(document, message, from);
  // With another declared encoding, other programs could read other elements. After the declaration, this bank writes elements
  // only.
  const isPlain = content.startsWith(`${declaration}\n<Document `) && !/<!|<\?/.test(content.slice(1));
  if (foreign === undefined && isPlain) return;
  throw new RailFileError(`The message has what the bank does not write: ${foreign ?? 'markup'}.`);
}

/**
 * The path and text of an element that this bank does not write into such a message: another program could act on it. Also
 * makes one space of spaces in a row, which older files have in ids.
 */
function findForeign(document: XmlElement, message: string, from: string): string | undefined {
  const shape = shapes.get(message);
  function foreignIn(element: XmlElement, path: string): string | undefined {
    element.text = element.text.trim().replace(/ {2,}/g, ' ');
    const { text, attributes, children, namespace } = element;
    const attribute = path === '' ? 'xmlns' : path.endsWith('Amt') ? 'Ccy' : undefined;
    const isOwn =
      shape?.has(path) &&
      (shape.get(path) ?? text) === text &&
      namespace === document.namespace &&
      Object.keys(attributes).every(name => name === attribute) &&
      // The addressee was compared before.
      (!path.endsWith('/MmbId') || path.includes('/InstdAgt/') || text === from);
    if (!isOwn) return `${path} ${text}`;
    for (const child of children) {
      const foreign = foreignIn(child, path === '' ? child.name : `${path}/${child.name}`);
      if (foreign !== undefined) return foreign;
    }
    return undefined;
  }
  return foreignIn(document, '');
}
