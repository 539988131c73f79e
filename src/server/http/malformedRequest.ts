/**
 * Answers requests that Node's HTTP parser rejects because they are malformed, have headers that are too large, or arrive too
 * slowly. Fastify does not answer them, so the response is written to the socket directly.
 */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Failure } from '#contract/errors.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { standardHeaders } from './headers.ts';

const statusOf: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/**
 * Returns a handler for a server's `clientError`. It sends the failure envelope with the standard headers and closes the
 * connection.
 */
export function answerMalformedRequest(
  isHttps: boolean,
): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const status = statusOf[error.code ?? ''] ?? 400;
    const envelope: Failure = { success: false, message: errorMessages.validation, code: 'VALIDATION' };
    const body = JSON.stringify(envelope);
    const headers = {
      ...standardHeaders(true, isHttps),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  };
}
