/** Parses command lines: every command answers `--help`, and refuses an unknown option with its usage. */
import { type ParseArgsConfig, parseArgs } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Exit code for wrong usage. */
const misused = 2;

/** Prints the problem, if one is given, and the usage, and exits with 2. */
export function refuseCommandLine(usage: string, problem?: string): never {
  process.stderr.write(problem === undefined ? usage : `${problem}\n\n${usage}`);
  process.exit(misused);
}

/**
 * Returns the options and positional arguments of this process. For `--help`, prints the usage and exits with 0. For an unknown
 * option, or a positional argument without `allowPositionals`, prints what is wrong and the usage, and exits with 2.
 */
export function readCommandLine<const O extends Options = Record<never, never>>(
  usage: string,
  { options, allowPositionals = false }: { options?: O; allowPositionals?: boolean } = {},
) {
  try {
    const all = { ...(options ?? ({} as O)), help: { type: 'boolean', short: 'h' } } as const;
    const read = parseArgs({ options: all, allowPositionals });
    if (!(read.values as { help?: boolean }).help) return read;
    process.stdout.write(usage);
  } catch (error) {
    // Prints only the first sentence: parseArgs adds advice on `--` that does not fit here.
    refuseCommandLine(usage, (error as Error).message.replace(/\. .*$/s, ''));
  }
  process.exit(0);
}
