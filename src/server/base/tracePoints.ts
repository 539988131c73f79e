/**
 * The points in the code that a trace shows. `outside/tracing.ts` subscribes to their channels if
 * `OTEL_EXPORTER_OTLP_ENDPOINT` is set. Without a subscriber, a point costs one comparison. Only `bank.ts` imports
 * `outside/tracing.ts`, to start it; the rest of the server imports only this file.
 */
import { channel, tracingChannel } from 'node:diagnostics_channel';

/** A posting, from the queue to its outcome. */
export type PostingPoint = { transactionId: string };
/** Work outside of a request. `transactionId`: the transaction that the work is about. */
export type WorkPoint = { name: string; transactionId?: string };
/** A group of postings that was sent to the database. The times are `performance.now()`. */
export type CommitPoint = { transactionIds: string[]; startedAt: number; endedAt: number; error?: unknown };

const postings = tracingChannel<unknown, PostingPoint>('larkspur.posting');
const work = tracingChannel<unknown, WorkPoint>('larkspur.work');
const commits = channel('larkspur.commit');
export const tracePoints = { postings, work, commits } as const;

/** Runs a posting; a trace shows it as a span. */
export function tracePosting<T>(transactionId: string, post: () => Promise<T>): Promise<T> {
  return postings.hasSubscribers ? postings.tracePromise(post, { transactionId }) : post();
}

/** Runs work outside of a request; a trace shows it as a span. */
export function traceWork<T>(point: WorkPoint, run: () => Promise<T>): Promise<T> {
  return work.hasSubscribers ? work.tracePromise(run, point) : run();
}

/** Adds the commit of a group to the traces of its postings. */
export function traceCommit(describe: () => CommitPoint): void {
  if (commits.hasSubscribers) commits.publish(describe());
}

/** A span of a request. `run` runs `work`; the spans that start inside it belong to this span. */
export type RequestSpan = {
  traceId: string;
  run(work: () => void): void;
  end(facts: { status: number; caller: string; refusal: string | undefined }): void;
};

/** Tracing that is turned on. */
export type Tracing = {
  /** `parent`: a `traceparent` (W3C Trace Context) of a trusted caller. */
  startRequest(request: { id: string; method: string; route: string }, parent?: string): RequestSpan;
  /** The fields of a log line that name the current trace. */
  logFields(): { trace_id?: string };
  /** Sends the last spans. */
  close(): Promise<void>;
};
