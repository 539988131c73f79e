/**
 * The built files that name the site's own origin: pages, sitemap, robots.txt. The build leaves `{origin}` in them, since only a
 * running server knows it. Each is filled in and compressed when somebody first asks for it, and kept for the life of the server.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** The best first, which is what a browser gets that takes several. */
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

export type SendAddressed = (
  request: FastifyRequest,
  reply: FastifyReply,
  file: string,
) => Promise<FastifyReply>;

/** Gives a function that answers with a file (an absolute path), or with 304 where the browser has it already. */
export function addressFiles(origin: string): SendAddressed {
  const copies = new Map<string, Promise<Copy>>();

  const make = async (file: string, encoding: Encoding): Promise<Copy> => {
    const plain = Buffer.from((await readFile(file, 'utf8')).replaceAll('{origin}', origin));
    const body = await compress[encoding](plain);
    return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
  };
  const copyOf = (file: string, encoding: Encoding): Promise<Copy> => {
    const key = `${encoding} ${file}`;
    const kept = copies.get(key);
    if (kept) return kept;
    const made = make(file, encoding);
    copies.set(key, made);
    made.catch(() => copies.delete(key));
    return made;
  };

  return async (request, reply, file) => {
    const accepted = request.headers['accept-encoding']?.toLowerCase() ?? '';
    const encoding = negotiate(accepted, [...encodings]) ?? 'identity';
    const { body, etag } = await copyOf(file, encoding);
    reply.header('vary', 'accept-encoding').header('etag', etag);
    const held = request.headers['if-none-match'];
    if (held === '*' || held?.includes(etag)) return reply.code(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.type(types[extname(file)] ?? 'application/octet-stream').send(body);
  };
}
