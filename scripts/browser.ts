/** The browser for the journeys: a Chromium that is there, or Debian's, installed where we may. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

function lookFor(): string | undefined {
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

/** The path of a browser; or one sentence saying how to get one, where it is missing and cannot be installed here. */
export function findBrowser(): { path: string } | { missing: string } {
  const there = lookFor();
  if (there) return { path: there };
  const isDebian = spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status === 0;
  if (isDebian && process.getuid?.() === 0) {
    process.stdout.write('Installing Chromium for the journeys (Debian package chromium) …\n');
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env });
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env,
    });
    const installed = lookFor();
    if (installed) return { path: installed };
  }
  return {
    missing:
      'The journeys need a browser: install Chromium (on Debian: apt-get install chromium) or set BROWSER_PATH to one, and run npm test again.',
  };
}
