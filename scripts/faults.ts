/**
 * `npm run faults -- --rounds N`: the fault tests of `npm test`, for longer. The kills and restarts of one bank and the
 * settlements between two banks are repeated N times, and the connection to the database is broken at each byte of an exchange,
 * not only at a sample of them. The rounds of `settlement.test.ts` are always the same.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readCommandLine, refuseCommandLine } from '#server/commands/commandLine.ts';

const usage = `Usage: npm run faults [-- [--rounds N] [<file> …]]

Runs the fault tests, or only the given files, for N rounds (10 by default). A hundred rounds take hours. The connection
that breaks at each byte takes minutes, whatever N is. Prints a line after each round and each test.
`;
const defaultRounds = '10';
const files = ['tests/faults/', 'src/server/ledger/brokenConnections.test.ts'];

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const { values, positionals } = readCommandLine(usage, {
  options: { rounds: { type: 'string', default: defaultRounds } },
  allowPositionals: true,
});
const { rounds } = values;
if (!/^[1-9]\d{0,5}$/.test(rounds)) refuseCommandLine(usage, '--rounds takes a number from 1.');
const ran = spawn(
  'vitest',
  ['run', '--reporter=verbose', ...(positionals.length > 0 ? positionals : files)],
  {
    stdio: 'inherit',
    env: { ...process.env, FAULT_ROUNDS: rounds },
  },
);
ran.once('close', code => {
  process.exitCode = code ?? 1;
});
