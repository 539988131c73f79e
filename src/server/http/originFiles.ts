/**
 * Serves the built files that need values that only the running server knows: its origin, routing number and insurance notice.
 * The build writes placeholders into pages, sitemap and robots.txt. Each file is filled in and compressed on its first request
 * and cached until the server stops.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { escapeHtml } from '#contract/html.ts';
import * as insuranceMessages from '#contract/messages/insurance.ts';

/** In order of preference, for browsers that accept several. */
const encodings = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof encodings)[number];
type Copy = { body: Buffer; etag: string };

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.xml': 'application/xml',
  '.txt': 'text/plain; charset=utf-8',
};
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

const compress: Record<Encoding, (plain: Buffer) => Promise<Buffer> | Buffer> = {
  br: plain => brotli(plain),
  gzip: plain => zip(plain, { level: 9 }),
  identity: plain => plain,
};

export type SendOriginFile = (
  request: FastifyRequest,
  reply: FastifyReply,
  file: string,
) => Promise<FastifyReply>;

/** Returns a function that sends a file (an absolute path), or 304 if the browser already has it. */
export function openOriginFiles(
  origin: string,
  { routingNumber, insuranceNotice }: { routingNumber: string; insuranceNotice: string },
): SendOriginFile {
  const notice = escapeHtml(insuranceNotice);
  const copies = new Map<string, Promise<Copy>>();

  const make = async (file: string, encoding: Encoding): Promise<Copy> => {
    const built = await readFile(file, 'utf8');
    // The notice is last, because its text could look like a placeholder. It is passed as a function, because `$` is special in
    // a replacement string.
    const filled = built
      .replaceAll('{origin}', origin)
      .replaceAll('{routing}', routingNumber)
      .replaceAll(insuranceMessages.insurancePlaceholder, () => notice);
    const plain = Buffer.from(filled);
    const body = await compress[encoding](plain);
    return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
  };
  const getCopy = (file: string, encoding: Encoding): Promise<Copy> => {
    const key = `${encoding} ${file}`;
    const cached = copies.get(key);
    if (cached) return cached;
    const made = make(file, encoding);
    copies.set(key, made);
    made.catch(() => copies.delete(key));
    return made;
  };

  return async (request, reply, file) => {
    const accepted = request.headers['accept-encoding']?.toLowerCase() ?? '';
    const encoding = negotiate(accepted, [...encodings]) ?? 'identity';
    const { body, etag } = await getCopy(file, encoding);
    reply.header('vary', 'accept-encoding').header('etag', etag);
    const ifNoneMatch = request.headers['if-none-match'];
    if (ifNoneMatch === '*' || ifNoneMatch?.includes(etag)) return reply.code(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.type(types[extname(file)] ?? 'application/octet-stream').send(body);
  };
}
