/** A TCP proxy that breaks connections to a database at a chosen byte, as a network can. */
import { createConnection, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * What happens at byte `at` of one direction of a connection. `cut`: both sides lose the connection. `swallow`: nothing more
 * arrives in this direction, and neither side is notified. `delay`: the rest arrives later, even if its sender is gone by then.
 */
export type Fault = { direction: 'toServer' | 'toClient'; at: number; act: 'cut' | 'swallow' | 'delay' };

export type FaultyProxy = {
  /** The address to connect to instead of the database's. */
  host: string;
  port: number;
  /** How many bytes were sent in each direction, including those that did not arrive. */
  passed: { toServer: number; toClient: number };
  /** How many connections were opened, and how many of them broke at the byte of their fault. */
  connections: { opened: number; broken: number };
  /** Resolves when everything that was delayed has been delivered. */
  delivered(): Promise<void>;
  close(): Promise<void>;
};

/** Longer than the time after which the poster gives up a connection. */
const delayMs = 3_300;

/**
 * Opens a proxy to the socket of the database. `nextFault` is called for each new connection; undefined leaves the connection
 * intact.
 */
export async function openFaultyProxy(
  target: { host?: string | undefined; port?: number | undefined },
  nextFault: () => Fault | undefined,
): Promise<FaultyProxy> {
  const passed: FaultyProxy['passed'] = { toServer: 0, toClient: 0 };
  const connections: FaultyProxy['connections'] = { opened: 0, broken: 0 };
  const sockets = new Set<Socket>();
  const delayed: Promise<void>[] = [];
  const later = (work: () => void): void => {
    delayed.push(sleep(delayMs).then(work));
  };

  const server = createServer(client => {
    const upstream = createConnection(join(target.host!, `.s.PGSQL.${target.port}`));
    const fault = nextFault();
    connections.opened++;
    const pass = (from: Socket, to: Socket, direction: Fault['direction']): void => {
      let seen = 0;
      let isBroken = false;
      from.on('data', (bytes: Buffer) => {
        const breaksAt = fault?.direction === direction ? fault.at - seen : Infinity;
        seen += bytes.length;
        passed[direction] += bytes.length;
        if (isBroken && fault!.act !== 'delay') return;
        if (isBroken) return later(() => to.write(bytes));
        to.write(bytes.subarray(0, Math.max(0, breaksAt)));
        if (breaksAt >= bytes.length) return;
        isBroken = true;
        connections.broken++;
        if (fault!.act === 'delay') later(() => to.write(bytes.subarray(Math.max(0, breaksAt))));
        if (fault!.act === 'cut') for (const each of [from, to]) each.destroy();
      });
      // After a delay, the end of the connection is also passed on later. After a swallow, it reaches only the client.
      from.on('close', () => {
        sockets.delete(from);
        if (!isBroken) to.end();
        else if (fault!.act === 'delay') later(() => to.end());
        else if (direction === 'toClient') to.destroy();
      });
      from.on('error', () => {});
      sockets.add(from);
    };
    pass(client, upstream, 'toServer');
    pass(upstream, client, 'toClient');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    host: '127.0.0.1',
    port: (server.address() as { port: number }).port,
    passed,
    connections,
    async delivered() {
      while (delayed.length > 0) await delayed.shift();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}
