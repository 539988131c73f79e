/** The parts that a running bank is wired from. Production, tests and benchmarks differ only in these parts. */
import type { FastifyBaseLogger } from 'fastify';
import type { Tracing } from './base/tracePoints.ts';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { Documents } from './documents/documents.ts';
import type { Tokens } from './http/tokens.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Clock } from './outside/clock.ts';
import type { ExportFiles } from './outside/exportFiles.ts';
import type { FileStore } from './outside/files.ts';
import type { Inbox } from './outside/inbox.ts';
import type { Mailer } from './outside/mailer.ts';
import type { ObjectStore } from './outside/objectStore.ts';
import type { PersonKeys } from './outside/personKeys.ts';
import type { PushSender } from './outside/pushSender.ts';
import type { PaymentRail } from './outside/rail/rail.ts';
import type { Secrets } from './secrets.ts';

export type Parts = {
  config: Config;
  /** Origin for mails and links. */
  publicUrl: string;
  database: Database;
  ledger: Ledger;
  mailer: Mailer;
  store: ObjectStore;
  files: FileStore;
  keys: PersonKeys;
  exportFiles: ExportFiles;
  rail: PaymentRail;
  pushSender: PushSender;
  documents: Documents;
  clock: Clock;
  tokens: Tokens;
  secrets: Secrets;
  log: FastifyBaseLogger;
  /** Set if `OTEL_EXPORTER_OTLP_ENDPOINT` is. */
  tracing?: Tracing;
  /** The embedded inbox; local mode only. With several workers, it belongs to the primary process. */
  inbox?: Inbox;
};
