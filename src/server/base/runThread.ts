/** Runs a module in a worker thread until it replies. */
import { Worker } from 'node:worker_threads';

/**
 * Starts `module` in a thread with `workerData`, and ends the thread when it has replied. Throws what the thread throws. Also
 * throws an error if the thread ends without a reply, or if `signal` aborts.
 * @param onMessage returns the reply, or undefined for a message that is not the reply. `post` sends a message to the thread.
 */
export async function runThread<Message, Reply extends object>(
  module: URL,
  workerData: unknown,
  signal: AbortSignal | undefined,
  onMessage: (message: Message, post: (message: unknown) => void) => Promise<Reply | undefined>,
): Promise<Reply> {
  signal?.throwIfAborted();
  const worker = new Worker(module, { workerData });
  const end = () => void worker.terminate();
  signal?.addEventListener('abort', end, { once: true });
  try {
    return await new Promise<Reply>((resolve, reject) => {
      worker.on('error', reject);
      // Later: Node can emit the last message and the exit in one go, and the reply is resolved asynchronously.
      worker.on('exit', () =>
        setImmediate(() => reject(signal?.reason ?? new Error('a worker thread ended without a reply'))),
      );
      worker.on('message', (message: Message) => {
        onMessage(message, answer => worker.postMessage(answer)).then(
          reply => reply && resolve(reply),
          reject,
        );
      });
    });
  } finally {
    signal?.removeEventListener('abort', end);
    await worker.terminate();
  }
}
