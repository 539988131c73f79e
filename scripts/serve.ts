/** `npm run serve`: starts the server in this process, and checks in another process whether the web app is up to date. */
import { spawn } from 'node:child_process';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Keeps the compiled sources between starts, which saves a third of a start's processor time. If the folder cannot be written,
// Node works without it.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
if (process.argv.length === 2) {
  const build = fileURLToPath(new URL('build.ts', import.meta.url));
  // If it inherited the server's output, its exit would make the output blocking.
  const check = spawn(process.execPath, [build, '--check'], { stdio: ['ignore', 'pipe', 'pipe'] });
  check.stdout.pipe(process.stdout, { end: false });
  check.stderr.pipe(process.stderr, { end: false });
}
await import('#server/main.ts');
