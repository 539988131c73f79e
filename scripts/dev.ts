/**
 * `npm run dev`: the bank for development. This process owns the port and the database. Vite serves the web app from its
 * sources with hot module replacement. Requests for the API and other paths of the bank are forwarded to its server, a child
 * process that is replaced when its code changes.
 */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createServer, type Plugin, type ViteDevServer } from 'vite';
import { readCommandLine } from '#server/commands/commandLine.ts';
import { readServerConfig, SettingsError } from '#server/config.ts';
import { type EmbeddedPostgres, startEmbedded } from '#server/embedded/embedded.ts';
import { followParent } from '#server/followParent.ts';
import { reservePort } from '#server/http/reservedPort.ts';
import { forward } from './dev/forward.ts';
import { keepBank } from './dev/keepBank.ts';

readCommandLine(`Usage: npm run dev

Starts the bank with its demo data, shows a change in src/web without a reload, and restarts the server after a change in
src/server, src/contract or db. Takes no options; settings are environment variables, as for npm start: PORT, DATA_DIR, ...
It never opens DATABASE_URL.
`);

/** The time limit of a stop. The bank promises to stop within ten seconds of a signal. */
const stopWithinMs = 9_500;

const root = fileURLToPath(new URL('..', import.meta.url));
/** Paths that the bank's server answers. Vite serves all others. */
const bankPath = /^\/(api|files|dev\/inbox|healthz|readyz|metrics)\b/;
/** A change in these folders restarts the server. */
const serverFolders = ['src/server', 'src/contract', 'db'].map(folder => path.join(root, folder));
const isServerFile = (file: string) =>
  serverFolders.some(folder => file.startsWith(folder + path.sep)) &&
  /(?<!\.test)\.(ts|sql|css|webp)$/.test(file);
/** Vite serves only these folders, packages and its cache, because the data directory with secrets may be in the project. */
const webFolders = ['src/web', 'src/contract'].map(folder => path.join(root, folder));

const say = (line: string) => process.stdout.write(`${line}\n`);
const bank = keepBank(say);
let embedded: EmbeddedPostgres | undefined;
let vite: ViteDevServer | undefined;
let isStopping = false;

/** Forwards `bankPath` to the bank's server. `configureServer` runs again when Vite restarts after a change of its settings. */
const bankBehindVite: Plugin = {
  name: 'bank-behind-vite',
  configureServer({ middlewares, watcher }) {
    middlewares.use((request, answer, next) => {
      if (!bankPath.test(request.url ?? '')) return next();
      bank
        .port()
        .then(port => forward(request, answer, port))
        .catch(({ message }: Error) => {
          answer.writeHead(503, { 'content-type': 'application/json; charset=utf-8' });
          answer.end(JSON.stringify({ success: false, message, code: 'BUSY' }));
        });
    });
    watcher.add(serverFolders);
    watcher.on('all', (_, file) => {
      if (isServerFile(file)) bank.restart(path.relative(root, file));
    });
  },
};

async function start(): Promise<void> {
  if (process.env.DATABASE_URL?.trim()) {
    throw new SettingsError(
      'npm run dev never opens DATABASE_URL, which could be a real bank: unset it to use the embedded database in DATA_DIR.',
    );
  }
  const { dataDir, host, ...config } = readServerConfig(process.env);
  const held = config.port === 0 ? await reservePort(host) : undefined;
  const port = held?.port ?? config.port;
  const publicUrl = config.publicUrl ?? `http://localhost:${port}`;
  embedded = await startEmbedded({ dataDir, log: say });
  // One cache for each data directory: two Vite servers that share a cache delete each other's files.
  const cacheDir = path.join(dataDir, 'dev', 'web');
  process.env.NODE_COMPILE_CACHE ??= path.join(dataDir, 'dev', 'server');
  vite = await createServer({
    configFile: path.join(root, 'vite.config.ts'),
    clearScreen: false,
    cacheDir,
    css: { devSourcemap: true },
    plugins: [bankBehindVite],
    server: {
      host,
      port,
      strictPort: true,
      cors: false,
      allowedHosts: [new URL(publicUrl).hostname],
      // node_modules may be a symbolic link, as in a second worktree.
      fs: { allow: [...webFolders, cacheDir, realpathSync(path.join(root, 'node_modules'))] },
    },
  });
  await held?.release();
  await vite.listen();
  bank.begin({ connection: { ...embedded.connection }, publicUrl, welcome: port });
}

async function stop(why: string, code = 0): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(1), stopWithinMs).unref();
  say(`\n${why}; stopping …`);
  await Promise.allSettled([Promise.race([vite?.close(), sleep(1_000)]), bank.stop()]);
  await embedded?.stop().catch(error => say(String(error)));
  process.exit(code);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void stop(`Got ${signal}`));
followParent(() => void stop('The process that started the bank is gone'));

start().catch((error: unknown) => {
  process.stderr.write(
    `\nThe bank could not start.\n${error instanceof Error ? error.message : String(error)}\n`,
  );
  return stop('Not started', 1);
});
