/** Compares every screen of two builds, pixel for pixel: `npm run screens -- --help`. */
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommandLine, refuseCommandLine } from '#server/commands/commandLine.ts';
import { capture } from './screens/capture.ts';
import { compare } from './screens/compare.ts';

const usage = `Usage: npm run screens -- capture <folder> [--root <checkout>] [--data <folder>] [--only <regex>]
  Takes a picture of every screen of a built checkout (default: this one; first: npm run build) at three widths, light
  and dark, and writes down the computed styles and the bytes of each page.
  --data   The bank's data and its recorded answers (default: <folder>-data). It is created if it does not exist. Two captures
           can be compared only if they share it; make a new one when the data or the API has changed.
  --only   Screens whose names match; the rest of the folder stays as it is.

npm run screens -- compare <before> <after> [--only <regex>]
  Says which screens differ and why; the pictures of the differences are in <after>/differences. Fails if a pixel differs
  or a page has grown.
`;

const { values, positionals } = readCommandLine(usage, {
  allowPositionals: true,
  options: {
    root: { type: 'string', default: dirname(dirname(fileURLToPath(import.meta.url))) },
    data: { type: 'string' },
    only: { type: 'string', default: '' },
  },
});
const [command, first, second] = positionals;
const only = new RegExp(values.only);
if (command === 'capture' && first) {
  process.exitCode = await capture(
    resolve(first),
    resolve(values.root),
    resolve(values.data ?? `${first}-data`),
    only,
  );
} else if (command === 'compare' && first && second) {
  process.exitCode = await compare(resolve(first), resolve(second), only);
} else {
  refuseCommandLine(usage);
}
