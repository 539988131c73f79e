/**
 * The bank's server in development, a child process of `npm run dev`. It loads the libraries, waits for the parent's start
 * message, and only then loads the bank's own code, which may have changed in between. It listens on a free loopback port. The
 * parent owns the database, so a restart does not wait for it.
 */
import './libraries.ts';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import type { Bank } from '#server/bank.ts';

/** The parent's first message. `welcome`: the port that the welcome message shows; undefined in a restart, which shows none. */
export type StartMessage = { connection: pg.PoolConfig; publicUrl: string; welcome: number | undefined };
/** The message to the parent once the bank is listening. */
export type Ready = { port: number };

let bank: Bank | undefined;

async function start({ connection, publicUrl, welcome }: StartMessage): Promise<void> {
  const [{ openBank }, { readServerConfig }, { seed }, { printWelcome }, { openLog }] = await Promise.all([
    import('#server/bank.ts'),
    import('#server/config.ts'),
    import('#server/demo/seed.ts'),
    import('#server/demo/welcome.ts'),
    import('#server/log.ts'),
  ]);
  const config = readServerConfig(process.env);
  const log = openLog();
  log.level = config.logLevel;
  // The parent sends the address of callers from other machines in X-Forwarded-For.
  const proxied = { ...config, trustProxy: ['127.0.0.1', ...config.trustProxy] };
  bank = await openBank(proxied, connection, publicUrl, log, { servesPages: false });
  await seed(bank.parts);
  await bank.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = bank.app.server.address() as AddressInfo;
  process.send?.({ port } satisfies Ready);
  if (welcome !== undefined) printWelcome(config, publicUrl, welcome);
}

// Ctrl-C signals every process of the terminal. The parent decides when this one stops, by closing the channel.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
process.once('disconnect', async () => {
  await bank?.stop().catch(error => process.stderr.write(`${error.stack}\n`));
  process.exit(0);
});
// The parent may have closed the channel while the libraries were loading.
if (!process.connected) process.exit(0);

const [message] = (await once(process, 'message')) as [StartMessage];
await start(message).catch((error: Error) => {
  process.stderr.write(`${error.name === 'SettingsError' ? error.message : error.stack}\n`);
  process.exit(1);
});
