/** `npm start`: builds the web app if its sources changed, then starts the server in this process. */
import { spawnSync } from 'node:child_process';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// See serve.ts.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
const build = fileURLToPath(new URL('build.ts', import.meta.url));
// With an argument, the server only answers --help or refuses the argument. Neither needs a build.
if (process.argv.length === 2) {
  const { status } = spawnSync(process.execPath, [build, '--if-changed'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
await import('#server/main.ts');
