/** The drills: what each does to the cluster, how that is undone, and how long payments may pause (the limit). */
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../waiting.ts';
import type { Cluster } from './cluster.ts';
import type { Machine } from './machines.ts';

export type Drill = {
  name: string;
  /** The longest allowed time without an acknowledged transfer, in seconds. */
  limitSeconds: number;
  /** Set if every request must get an answer of a server. */
  breaksNoRequest?: true;
  /** Does to the cluster what `name` says. Resolves to a function that undoes it, or undefined if nothing is left to undo. */
  happen: (cluster: Cluster) => Promise<(() => Promise<void>) | undefined>;
};

const limitMs = 90_000;
const planned = 5;
const crash = 10;
const nodeDeath = 30;

const others = (cluster: Cluster, machine: Machine) =>
  cluster.databases.filter(other => other !== machine).map(({ address }) => address);

/** Starts a machine's etcd and PostgreSQL again. */
const repair = (cluster: Cluster, machine: Machine) => async () => {
  cluster.startEtcd(machine);
  cluster.startDatabase(machine);
};

/** Waits until another machine is the primary. */
const replaced = (cluster: Cluster, former: Machine) =>
  waitUntil('another primary', limitMs, async () => {
    const leader = (await cluster.members()).find(
      ({ role, state }) => role === 'leader' && state === 'running',
    );
    return leader && leader.name !== former.name ? true : undefined;
  });

/** Stops a server and starts this version or the one in the folder `tree`, while the other servers keep running. */
async function replaceServer(cluster: Cluster, server: Machine, tree?: string): Promise<void> {
  server.signal('SIGTERM');
  await waitUntil(`${server.name} to stop`, limitMs, () => (server.pids().length === 0 ? true : undefined));
  cluster.startServer(server, tree);
  await cluster.serverReady(server);
  // HAProxy sends requests to this server again after its next check.
  await sleep(1_500);
}

export const drills: readonly Drill[] = [
  {
    name: 'planned switchover',
    limitSeconds: planned,
    async happen(cluster) {
      await cluster.switchover();
      return undefined;
    },
  },
  {
    name: "the primary's PostgreSQL is killed (kill -9)",
    limitSeconds: crash,
    async happen(cluster) {
      const primary = await cluster.primary();
      primary.signal('SIGKILL', 'postgres');
      await replaced(cluster, primary);
      return undefined;
    },
  },
  {
    name: "all processes of the primary's machine are killed (kill -9)",
    limitSeconds: nodeDeath,
    async happen(cluster) {
      const primary = await cluster.primary();
      primary.signal('SIGKILL');
      await replaced(cluster, primary);
      return repair(cluster, primary);
    },
  },
  {
    name: "the primary's machine freezes (SIGSTOP) and thaws",
    limitSeconds: nodeDeath,
    async happen(cluster) {
      const primary = await cluster.primary();
      primary.signal('SIGSTOP');
      await replaced(cluster, primary);
      await sleep(2_000);
      primary.signal('SIGCONT');
      return undefined;
    },
  },
  {
    name: 'the primary is cut off from the other database machines, not from the servers (split brain)',
    limitSeconds: nodeDeath,
    async happen(cluster) {
      const primary = await cluster.primary();
      primary.cut(others(cluster, primary));
      await replaced(cluster, primary);
      return async () => primary.heal();
    },
  },
  {
    name: 'the primary is cut off from everything, as after a power failure',
    limitSeconds: nodeDeath,
    async happen(cluster) {
      const primary = await cluster.primary();
      const machines = [...cluster.servers, cluster.balancer].map(({ address }) => address);
      primary.cut([...others(cluster, primary), ...machines]);
      await replaced(cluster, primary);
      return async () => primary.heal();
    },
  },
  {
    name: 'all processes of a standby are killed (kill -9)',
    limitSeconds: crash,
    async happen(cluster) {
      const standby = await cluster.standby();
      standby.signal('SIGKILL');
      await sleep(8_000);
      return repair(cluster, standby);
    },
  },
  {
    name: 'a standby freezes (SIGSTOP) and thaws',
    limitSeconds: nodeDeath,
    async happen(cluster) {
      const standby = await cluster.standby();
      standby.signal('SIGSTOP');
      await sleep(25_000);
      standby.signal('SIGCONT');
      return undefined;
    },
  },
  {
    name: 'both standbys are killed, and start again after 5 s',
    limitSeconds: 5 + crash,
    async happen(cluster) {
      const primary = await cluster.primary();
      const standbys = cluster.databases.filter(machine => machine !== primary);
      for (const standby of standbys) {
        standby.signal('SIGKILL', 'postgres');
        standby.signal('SIGKILL', 'patroni');
      }
      await sleep(5_000);
      for (const standby of standbys) cluster.startDatabase(standby);
      return undefined;
    },
  },
  {
    name: 'etcd is down on all machines for 30 s',
    limitSeconds: planned,
    async happen(cluster) {
      for (const machine of cluster.databases) machine.signal('SIGKILL', 'etcd ');
      await sleep(30_000);
      return async () => {
        for (const machine of cluster.databases) cluster.startEtcd(machine);
      };
    },
  },
  {
    name: 'a server is killed (kill -9)',
    limitSeconds: planned,
    async happen(cluster) {
      const [server] = cluster.servers;
      server!.signal('SIGKILL');
      await sleep(5_000);
      return async () => {
        cluster.startServer(server!);
        await cluster.serverReady(server!);
      };
    },
  },
  {
    name: 'a rolling deploy of a new version with migrations, and back',
    limitSeconds: planned,
    breaksNoRequest: true,
    async happen(cluster) {
      const next = cluster.makeNextVersion();
      for (const server of cluster.servers) await replaceServer(cluster, server, next);
      if (cluster.servers.some(server => server.pids(next).length === 0))
        throw new Error('A server has not been replaced by the new version.');
      for (const server of cluster.servers) await replaceServer(cluster, server);
      return undefined;
    },
  },
];
