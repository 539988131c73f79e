/** PostgreSQL's settings for a small machine, without reducing durability. */
import { PORT } from './socket.ts';

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  port: String(PORT),
  unix_socket_permissions: '0700',
  max_connections: '100',
  // An acknowledged transfer survives a crash and a power failure.
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  wal_compression: 'off',
  // Limits the WAL that is kept for a backup, so that it does not fill the disk when the backup folder cannot be written.
  max_slot_wal_keep_size: '8GB',
  // Short statements on few cores: JIT compilation and parallel plans cost more than they save.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_destination: 'stderr',
  logging_collector: 'off',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
  // Statements can contain customer data, so they are not logged.
  log_min_error_statement: 'panic',
  log_parameter_max_length_on_error: '0',
};

/** Returns PostgreSQL's command-line arguments. `settings` overrides the defaults, except for the socket's location. */
export function settingArguments(socketDir: string, settings: Readonly<Record<string, string>>): string[] {
  const all = {
    ...SETTINGS,
    ...settings,
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
  };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
