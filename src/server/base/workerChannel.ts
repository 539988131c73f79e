/**
 * Messages among the worker processes of one server (`WORKERS`), sent through their primary process. In a server with one
 * process there are no other workers, so `shareWithWorkers` does nothing.
 */
import cluster from 'node:cluster';

/** A message from a worker: a question for the primary, or data for the other workers. */
export type FromWorker = { ask: string; id: number; data?: unknown } | { share: string; data: unknown };

/** A message to a worker: an answer from the primary, data from another worker, or the order to stop. */
export type ToWorker =
  | { answer: unknown; id: number }
  | { share: string; data: unknown }
  | { stop: { letBalancersLeave: boolean } };

const answers = new Map<number, (answer: never) => void>();
const receivers = new Map<string, (data: never) => void>();
let lastId = 0;

/** Drops a message that cannot be sent: a worker whose channel is closed ends at once. */
const send = (message: FromWorker) => void process.send?.(message, undefined, {}, () => {});

if (cluster.isWorker)
  process.on('message', (message: ToWorker) => {
    if ('answer' in message) {
      answers.get(message.id)?.(message.answer as never);
      answers.delete(message.id);
    } else if ('share' in message) receivers.get(message.share)?.(message.data as never);
  });

/** Asks the primary process. Only for workers. */
export function askPrimary<Answer>(question: string, data?: unknown): Promise<Answer> {
  const id = ++lastId;
  return new Promise<Answer>(resolve => {
    answers.set(id, resolve);
    send({ ask: question, id, data });
  });
}

/**
 * Receives what other workers share under `topic`.
 * @returns a function that sends data to all other workers; undefined in a server with one process
 */
export function shareWithWorkers<Data>(
  topic: string,
  receive: (data: Data) => void,
): ((data: Data) => void) | undefined {
  if (!cluster.isWorker) return undefined;
  receivers.set(topic, receive);
  return data => send({ share: topic, data });
}
