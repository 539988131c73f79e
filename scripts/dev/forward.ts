/** A streaming HTTP proxy to a server on this machine; it streams uploads and server-sent events too. */
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';

const isLoopback = /^(::ffff:)?127\.|^::1$/;

/**
 * Forwards a request to the server on `port` and relays its response. Rejects if the connection fails before the response
 * starts.
 */
export function forward(incoming: IncomingMessage, answer: ServerResponse, port: number): Promise<void> {
  const { method, url, rawHeaders } = incoming;
  const caller = incoming.socket.remoteAddress ?? '';
  const isSent = incoming.headers['x-forwarded-for'] !== undefined;
  // The caller's own X-Forwarded-For is dropped: it could name any address.
  const kept = rawHeaders.filter((_, n) => rawHeaders[n - (n % 2)]!.toLowerCase() !== 'x-forwarded-for');
  // A request from this machine without X-Forwarded-For is sent on without one, so that it can read /metrics (loopback only).
  const headers = isLoopback.test(caller) && !isSent ? kept : [...kept, 'x-forwarded-for', caller];
  const onward = ask({ host: '127.0.0.1', port, method, path: url, headers, setHost: false });
  answer.once('close', () => onward.destroy());
  incoming.pipe(onward);
  return new Promise((resolve, reject) => {
    onward.once('error', reject);
    onward.once('response', answered => {
      answer.writeHead(answered.statusCode ?? 502, answered.statusMessage, answered.rawHeaders);
      answered.once('error', () => answer.destroy());
      answered.pipe(answer);
      resolve();
    });
  });
}
