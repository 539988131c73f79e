/** How PostgreSQL runs on a small machine without giving up durability. */
import { PORT } from './socket.ts';

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  port: String(PORT),
  unix_socket_permissions: '0700',
  max_connections: '100',
  // A transfer that was acknowledged survives a crash and a power cut.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  wal_compression: 'off',
  // Short statements on few cores: compiling or splitting one costs more than it brings.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
  // Statements can hold what belongs to customers: they stay out of the log.
  log_min_error_statement: 'panic',
  log_parameter_max_length_on_error: '0',
};

/** The command line of PostgreSQL for these settings; `settings` overrides ours, except where the socket lies. */
export function settingArguments(socketDir: string, settings: Readonly<Record<string, string>>): string[] {
  const all = {
    ...SETTINGS,
    ...settings,
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
  };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
