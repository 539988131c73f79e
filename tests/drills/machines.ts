/**
 * Machines for the drills: network namespaces on one bridge, each with its own address and processes. A program can have
 * folders that only it sees, such as its /etc/patroni. The processes of a machine can be killed or frozen, and its network can
 * be cut. Needs root on Linux.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const bridge = 'larkspur-drill';
const network = '10.77.0';
/** The address of this process, in the network of the machines. */
export const ownAddress = `${network}.1`;

export type Machine = {
  name: string;
  address: string;
  /** Where the machine's folders are. Its logs are next to this folder. */
  folder: string;
  /** Starts a program, as `user`. Its environment is only PATH, LANG and `env`. Its log is `<machine>-<title>.log`. */
  start(title: string, command: string[], options?: StartOptions): ChildProcess;
  /** Applies a file of kernel settings. */
  configure(file: string): void;
  /** The ids of all its processes, or of those whose command line contains `text`. */
  pids(text?: string): number[];
  /** Sends a signal to all its processes, or to those whose command line contains `text`. */
  signal(name: NodeJS.Signals, text?: string): void;
  /** Drops everything that this machine sends to these addresses. All addresses are cut off at the same moment. */
  cut(addresses: string[]): void;
  /** Ends `cut`. */
  heal(): void;
};

type StartOptions = {
  user?: string;
  env?: Record<string, string>;
  /** Folders that only this program sees, by the path at which they are mounted. The path must exist on the host. */
  mounts?: Record<string, string>;
};

const pipes = { encoding: 'utf8', stdio: 'pipe' } as const;
export const run = (command: string, ...args: string[]): string => execFileSync(command, args, pipes);
const ip = (...args: string[]) => run('ip', ...args);
const tryTo = (work: () => unknown): void => {
  try {
    work();
  } catch {
    // The process, link or route is already gone.
  }
};

const namespaceOf = (name: string) => `${bridge}-${name}`;

/** Opens the network. A network that a killed run left behind is removed first. */
export function openNetwork(): void {
  closeNetwork();
  ip('link', 'add', bridge, 'type', 'bridge');
  ip('addr', 'add', `${ownAddress}/24`, 'dev', bridge);
  ip('link', 'set', bridge, 'up');
}

/** Ends all processes of all machines, and removes the network. */
export function closeNetwork(): void {
  const namespaces = run('ip', '-o', 'netns', 'list')
    .split('\n')
    .map(line => line.split(' ')[0]!)
    .filter(name => name.startsWith(`${bridge}-`));
  for (const namespace of namespaces) {
    const pids = ip('netns', 'pids', namespace).split(/\s+/).filter(Boolean).map(Number);
    for (const pid of pids) tryTo(() => process.kill(pid, 'SIGKILL'));
    tryTo(() => ip('netns', 'del', namespace));
  }
  // A link remains after its namespace was deleted, until the last process of the namespace has ended.
  for (const [, link] of ip('-o', 'link', 'show', 'type', 'veth').matchAll(/ (larkspur\d+)@/g))
    tryTo(() => ip('link', 'del', link!));
  tryTo(() => ip('link', 'del', bridge));
}

/** Adds a machine. `number` is the last part of its address. */
export function openMachine(base: string, name: string, number: number): Machine {
  const namespace = namespaceOf(name);
  const address = `${network}.${number}`;
  const outside = `larkspur${number}`;
  ip('netns', 'add', namespace);
  ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace);
  ip('link', 'set', outside, 'master', bridge, 'up');
  ip('-n', namespace, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
  ip('-n', namespace, 'link', 'set', 'eth0', 'up');
  ip('-n', namespace, 'link', 'set', 'lo', 'up');
  const folder = join(base, name);
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const cuts = new Set<string>();

  const machine: Machine = {
    name,
    address,
    folder,
    start(title, command, { user, env = {}, mounts = {} } = {}) {
      const binds = Object.entries(mounts).map(([at, from]) => `mount --bind '${from}' '${at}'`);
      const asUser = user ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups', '--'] : [];
      // `ip netns exec` gives the program a mount namespace of its own.
      const script = [...binds, 'exec "$@"'].join(' && ');
      const child = spawn(
        'ip',
        ['netns', 'exec', namespace, 'sh', '-c', script, 'sh', ...asUser, ...command],
        { env: { PATH: process.env.PATH, LANG: 'C.UTF-8', ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
      );
      const log = createWriteStream(join(dirname(folder), `${name}-${title}.log`), { flags: 'a' });
      child.stdout.pipe(log, { end: false });
      child.stderr.pipe(log, { end: false });
      child.once('close', () => log.end());
      return child;
    },
    configure(file) {
      ip('netns', 'exec', namespace, 'sysctl', '--quiet', '--load', file);
    },
    pids(text) {
      const all = ip('netns', 'pids', namespace).split(/\s+/).filter(Boolean).map(Number);
      if (text === undefined) return all;
      return all.filter(pid => commandLineOf(pid).includes(text));
    },
    signal(name, text) {
      for (const pid of machine.pids(text)) tryTo(() => process.kill(pid, name));
    },
    cut(addresses) {
      const routes = addresses.map(other => `route add blackhole ${other}/32\n`);
      execFileSync('ip', ['-n', namespace, '-batch', '-'], { ...pipes, input: routes.join('') });
      for (const other of addresses) cuts.add(other);
    },
    heal() {
      for (const other of cuts) tryTo(() => ip('-n', namespace, 'route', 'del', 'blackhole', `${other}/32`));
      cuts.clear();
    },
  };
  return machine;
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}
