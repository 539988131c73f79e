/** Routing numbers (ABA) of banks, and the directory of the banks that the payment rail reaches. */
import { readFileSync } from 'node:fs';

/** The routing number of the other bank in the sandbox rail. Its check digit is valid, but no real bank has this number. */
export const sandboxRouting = '800000019';

/** The ninth digit of a routing number, computed from the first eight. */
export function checkDigit(eight: string): string {
  const weights = [3, 7, 1, 3, 7, 1, 3, 7];
  const total = weights.reduce((sum, weight, index) => sum + weight * Number(eight[index]), 0);
  return String((10 - (total % 10)) % 10);
}

const isRoutingNumber = (text: string): boolean => /^[0-9]{9}$/.test(text) && checkDigit(text) === text[8];

/** Maps each bank's name, in the form of `keyOfBank`, to its routing number, and each listed routing number to itself. */
export type BankDirectory = ReadonlyMap<string, string>;

/** A bank's name with normalized case, spacing and Unicode form, for comparison. */
export const keyOfBank = (name: string): string =>
  name.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();

/**
 * Reads a directory: one bank per line, as `800000022,Harbor Bank`. Lines that start with `#` are comments. `own`: this
 * bank's routing number, which the directory must not contain. Throws an error that names the first invalid line.
 */
export function parseBankDirectory(text: string, own: string): BankDirectory {
  const banks = new Map<string, string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, routing = '', name = ''] = /^([^,]*),(.*)$/.exec(line.trim())?.map(part => part.trim()) ?? [];
    const fail = (why: string): never => {
      throw new Error(`line ${index + 1} ${why}.`);
    };
    if (!isRoutingNumber(routing) || name === '')
      fail('must be a routing number and a name, such as 800000022,Harbor Bank');
    if (routing === own) fail('has the routing number of this bank');
    const known = banks.get(keyOfBank(name));
    if (known !== undefined && known !== routing) fail('gives a second routing number for the same name');
    banks.set(keyOfBank(name), routing).set(routing, routing);
  }
  if (banks.size === 0) throw new Error('it lists no bank.');
  return banks;
}

/** Reads `ROUTING_NUMBER` and `RAIL_DIRECTORY` (the path of a file). Adds a sentence to `wrong` for each invalid setting. */
export function readRouting(
  routingNumber: string,
  path: string | undefined,
  wrong: string[],
): { routingNumber: string; railDirectory: BankDirectory | undefined } {
  if (routingNumber === sandboxRouting)
    wrong.push(`ROUTING_NUMBER must not be ${sandboxRouting}, which is the other bank of the sandbox rail.`);
  else if (!isRoutingNumber(routingNumber))
    wrong.push(
      `ROUTING_NUMBER must have nine digits, the last of which is the check digit, not '${routingNumber}'.`,
    );
  let railDirectory: BankDirectory | undefined;
  try {
    if (path !== undefined) railDirectory = parseBankDirectory(readFileSync(path, 'utf8'), routingNumber);
  } catch (error) {
    wrong.push(`RAIL_DIRECTORY names ${path}, which cannot be used: ${(error as Error).message}`);
  }
  return { routingNumber, railDirectory };
}
