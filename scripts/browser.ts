/** The browser for journeys, prints and measurements: a Chromium that is there, or Debian's, installed where we may. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Without windows first: it does the same work with four fifths of the effort. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
];

/** The path of a browser that is there: the one BROWSER_PATH names, or the first of ours on the PATH. */
export function lookForBrowser(): string | undefined {
  const given = process.env.BROWSER_PATH;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const candidates = [
    ...(given ? [given] : []),
    ...folders.flatMap(folder => names.map(name => join(folder, name))),
  ];
  return candidates.find(path => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Runs a program, of which only complaints are shown; whether it ended well. */
async function succeeds(program: string, args: string[]): Promise<boolean> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], env });
  const [code] = await once(child, 'close').catch(() => [null]);
  return code === 0;
}

/** The path of a browser; or one sentence saying how to get one, where it is missing and cannot be installed here. */
export async function findBrowser(): Promise<{ path: string } | { missing: string }> {
  const there = lookForBrowser();
  if (there) return { path: there };
  if (process.getuid?.() === 0 && (await succeeds('apt-get', ['--version']))) {
    process.stdout.write('Installing Chromium for the journeys (Debian package chromium-headless-shell) …\n');
    await succeeds('apt-get', ['update', '-qq']);
    for (const name of ['chromium-headless-shell', 'chromium']) {
      await succeeds('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name]);
      const installed = lookForBrowser();
      if (installed) return { path: installed };
    }
  }
  return {
    missing:
      'The journeys need a browser: install Chromium (on Debian: apt-get install chromium-headless-shell) or set BROWSER_PATH to one, and run npm test again.',
  };
}
