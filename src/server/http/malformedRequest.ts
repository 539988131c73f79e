/**
 * Answers requests that Node's HTTP parser rejects because they are malformed, have headers that are too large, or arrive too
 * slowly. Fastify does not answer them, so the response is written to the socket directly. Also refuses requests with too many
 * headers.
 */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { Counter } from 'prom-client';
import type { Failure } from '#contract/errors.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { ignoreRequests } from './connections.ts';
import { standardHeaders } from './headers.ts';

/** More than clients and proxies send: HAProxy and Apache refuse a request with more than about a hundred. */
const maxHeaders = 128;

const statusOf: Record<string, number> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** For `GET /metrics`. The other metrics of requests do not count these. */
export const malformedRequests = new Counter({
  name: 'larkspur_malformed_requests_total',
  help: 'requests that were malformed, too slow or had too many headers, by the status of the answer',
  labelNames: ['status'],
  registers: [],
});
for (const status of [400, 408, 431]) malformedRequests.inc({ status }, 0);

/** Counts and logs a refused request. Its method and path are unknown, or not worth reading. */
function record(log: FastifyBaseLogger, status: number, reason: string): void {
  malformedRequests.inc({ status });
  log.info({ status, reason }, 'malformed request');
}

/**
 * Returns a handler for a server's `clientError`. It sends the failure envelope with the standard headers and closes the
 * connection.
 */
export function answerMalformedRequest(
  isHttps: boolean,
  log: FastifyBaseLogger,
): (error: Error & { code?: string }, socket: Socket) => void {
  return (error, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const status = statusOf[error.code ?? ''] ?? 400;
    // Browsers open connections in advance. One that is not used in time is not a request.
    if (socket.bytesRead > 0) record(log, status, error.code ?? 'unknown');
    const { headers, body } = answerOf(isHttps);
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  };
}

/**
 * Makes Node keep no more headers of a request than `refuseManyHeaders` needs to see: Node refuses a request with more, or
 * drops the rest. The largest request has room for thousands of empty headers, and reading 900 took Node a millisecond.
 */
export function limitHeaders(server: Server): void {
  server.maxHeadersCount = maxHeaders + 1;
}

/**
 * Answers a request that has too many headers, and closes its connection, because a header that Node dropped may announce
 * a body. Returns false for any other request.
 */
export function refuseManyHeaders(
  { rawHeaders, socket }: IncomingMessage,
  response: ServerResponse,
  isHttps: boolean,
  log: FastifyBaseLogger,
): boolean {
  if (rawHeaders.length <= 2 * maxHeaders) return false;
  ignoreRequests(socket);
  record(log, 431, 'too many headers');
  const { headers, body } = answerOf(isHttps);
  response.writeHead(431, headers).end(body);
  return true;
}

function answerOf(isHttps: boolean) {
  const envelope: Failure = { success: false, message: errorMessages.validation, code: 'VALIDATION' };
  const body = JSON.stringify(envelope);
  const headers = {
    ...standardHeaders(true, isHttps),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  return { headers, body };
}
