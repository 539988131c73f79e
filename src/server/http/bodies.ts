/** Limits on how the bodies of requests arrive: in time, in chunks of a useful size, and not without end after the response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

const bodyTimeoutMs = 10_000;
/**
 * How many bytes of a body may still arrive after the response was sent. The largest form fits, so its sender can read the
 * response.
 */
const maxUnreadBytes = 24 * 1024 * 1024;
/**
 * Every chunk costs microseconds and some 350 bytes of memory, however small it is. So a body in chunks may have
 * `maxSmallChunks` chunks, and one more for every `minChunkBytes` that arrive.
 */
const maxSmallChunks = 128;
const minChunkBytes = 512;

/** Whether the request has a body, including one that has not arrived yet. */
export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Whether the request has a form as its body. */
export const isForm = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>) =>
  method !== 'GET' && /^multipart\//i.test(headers['content-type'] ?? '');

/** Limits the bodies of all requests, including those that Fastify refuses before any hook runs. */
export function limitBodies(app: FastifyInstance): void {
  app.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (hasBody(request)) limitBody(request, response);
  });
}

/**
 * Destroys a request whose body does not arrive in time. Forms have their own, longer deadline. The rest of a body that is
 * still arriving after the response has a limit in size and time. Beyond that limit, the connection is closed.
 */
function limitBody(request: IncomingMessage, response: ServerResponse): void {
  // After this call, Node waits until the body is read. Otherwise it would discard an unread body as fast as it arrives.
  request.read(0);
  if (request.headers['transfer-encoding'] !== undefined) refuseSmallChunks(request);
  const timer = isForm(request) ? undefined : setTimeout(() => request.destroy(), bodyTimeoutMs);
  request.once('end', () => clearTimeout(timer));
  response.once('close', () => {
    clearTimeout(timer);
    if (!request.complete) limitUnread(request);
    if (!request.readableEnded && request.listenerCount('data') === 0) request.pipe(openBrake());
  });
}

/**
 * Opens a sink that takes one chunk of its stream in each turn of the event loop. Without it, Node reads up to 2 MB of each
 * connection in every turn, and a few fast senders hold up all other work.
 */
export const openBrake = () =>
  new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => void setImmediate(done) });

/** Destroys a request whose body arrives in too many small chunks. */
function refuseSmallChunks(request: IncomingMessage): void {
  // Node calls `push` once for each chunk, except while it throws a body away.
  const push = request.push.bind(request);
  let allowed = maxSmallChunks;
  request.push = (chunk: Buffer | null, encoding) => {
    if (chunk === null) return push(chunk, encoding);
    allowed += chunk.length / minChunkBytes - 1;
    if (allowed >= 0) return push(chunk, encoding);
    request.destroy();
    return false;
  };
}

function limitUnread(request: IncomingMessage): void {
  const { socket } = request;
  const [before, began] = [socket.bytesRead, performance.now()];
  const watch = setInterval(() => {
    const isDone = request.complete || socket.destroyed;
    const isTooMuch = socket.bytesRead - before > maxUnreadBytes || performance.now() - began > bodyTimeoutMs;
    if (isDone || isTooMuch) clearInterval(watch);
    if (isTooMuch && !isDone) socket.destroy();
  }, 100).unref();
}
