/**
 * Writes Brotli and gzip copies of the build's text files, so that the server does not compress while serving. Pages are not
 * compressed here, because the server first fills its own origin into them.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const compressible = /\.(js|css|svg|json|txt|webmanifest|pdf)$/;
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Writes `x.br` and `x.gz` for every text file `x` in a folder and its subfolders, if the copy is smaller. */
export async function compressFiles(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile() && compressible.test(entry.name));
  await Promise.all(
    files.map(async entry => {
      const file = path.join(entry.parentPath, entry.name);
      const plain = await readFile(file);
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
      };
      const copies = { br: await brotli(plain, { params }), gz: await zip(plain, { level: 9 }) };
      for (const [extension, copy] of Object.entries(copies)) {
        if (copy.length < plain.length) await writeFile(`${file}.${extension}`, copy);
      }
    }),
  );
}
