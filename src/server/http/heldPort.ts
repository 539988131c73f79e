/** A port that is known, and nobody else's, before a server listens on it. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export type HeldPort = {
  port: number;
  /** Gives the port up, for who listens on it at once. */
  release: () => Promise<void>;
};

/**
 * A free port of this machine, held: links name it long before the bank can listen, and in the meantime every outgoing
 * connection is looking for a port of its own.
 * @param host the address that will be listened on
 */
export async function holdPort(host: string): Promise<HeldPort> {
  const holder = createServer(socket => socket.destroy()).listen(0, host);
  await once(holder, 'listening');
  // Who never comes to release it may still end.
  holder.unref();
  return {
    port: (holder.address() as AddressInfo).port,
    release: () => new Promise(resolve => holder.close(() => resolve())),
  };
}
