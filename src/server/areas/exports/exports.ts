/** Turns an account's movements into a file of a format, as a stream: memory does not grow with the export. */
import { Readable } from 'node:stream';
import { bank } from '#contract/constants.ts';
import type { exportFormats } from '#contract/transactions.ts';
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

/** Pieces are joined up to this many characters, because a chunk per movement would cost more than its text. */
const pieceLength = 32_768;

/** The file of an export. Nothing more is read once the client has hung up. */
export function writeExport(format: ExportFormat, head: ExportHead, lines: Export['lines']): SavedFile {
  async function* write(): AsyncGenerator<string> {
    let piece = format.begin(head);
    for await (const line of lines) {
      piece += format.line(line);
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = '';
    }
    yield piece + format.end(head);
  }
  return {
    name: `${bank.shortName.toLowerCase()}-${head.from}-to-${head.to}${head.isPartial ? '-filtered' : ''}.${format.extension}`,
    contentType: format.contentType,
    content: Readable.from(write()),
  };
}
