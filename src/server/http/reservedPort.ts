/** Reserves a port before the server listens on it, and says how many connections may wait to be accepted. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/**
 * How many connections wait until the server accepts them, if the system allows as many. Node's default of 511 fills up while
 * one client opens thousands, and others then have to connect again, seconds later.
 */
export const backlog = 4_096;

export type ReservedPort = {
  port: number;
  /** Frees the port. The caller must listen on it immediately. */
  release: () => Promise<void>;
};

/**
 * Reserves a port; 0 means any free one. Links contain the port long before the bank listens on it. Without a reservation, the
 * system could assign it to an outgoing connection in the meantime.
 * @param host the address that the server will listen on
 * @throws if another process listens on the port
 */
export async function reservePort(host: string, port = 0): Promise<ReservedPort> {
  const holder = createServer(socket => socket.destroy()).listen(port, host);
  await once(holder, 'listening');
  // An unreleased reservation must not keep the process alive.
  holder.unref();
  return {
    port: (holder.address() as AddressInfo).port,
    release: () => new Promise(resolve => holder.close(() => resolve())),
  };
}
