/** Writes an account's movements as a file in one of the formats, as a stream: memory does not grow with the file. */
import { bank } from '#contract/constants.ts';
import type { exportFormats } from '#contract/transactions.ts';
import { streamText } from '../../base/textStream.ts';
import type { SavedFile } from '../../http/serve.ts';
import type { Export } from '../../ledger/exportLines.ts';
import { camt053 } from './camt053.ts';
import { csv } from './csv.ts';
import type { ExportFormat, ExportHead } from './format.ts';
import { ofx } from './ofx.ts';
import { qif } from './qif.ts';

export const formats: Readonly<Record<(typeof exportFormats)[number], ExportFormat>> = {
  csv,
  ofx,
  qif,
  camt053,
};

export function writeExport(format: ExportFormat, head: ExportHead, lines: Export['lines']): SavedFile {
  return {
    name: `${bank.shortName.toLowerCase()}-${head.from}-to-${head.to}${head.isPartial ? '-filtered' : ''}.${format.extension}`,
    contentType: format.contentType,
    content: streamText(lines, {
      begin: format.begin(head),
      line: line => format.line(line),
      end: format.end(head),
    }),
  };
}
