/**
 * The built files that name the site's own origin: pages, sitemap, robots.txt. The build leaves `{origin}` in them, since only a
 * running server knows it. Each is filled in and compressed when somebody first asks for it, and kept for the life of the server.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Encoding = 'br' | 'gzip' | 'identity';
type Copy = { body: Buffer; etag: string };

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.xml': 'application/xml',
  '.txt': 'text/plain; charset=utf-8',
};
const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** One step below the best: half the time, and two bytes in a hundred more. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY - 1 } };

const compress: Record<Encoding, (plain: Buffer) => Promise<Buffer> | Buffer> = {
  br: plain => brotli(plain, quality),
  gzip: plain => zip(plain, { level: 9 }),
  identity: plain => plain,
};

/** The best encoding that a browser takes (RFC 9110, 12.5.3; a weight says only whether it is none). */
function chooseEncoding(accepted: string | undefined): Encoding {
  const taken = new Set(
    (accepted ?? '')
      .toLowerCase()
      .split(',')
      .filter(one => !/;\s*q=0(\.0*)?\s*$/.test(one))
      .map(one => one.replace(/;.*/, '').trim()),
  );
  if (taken.has('br')) return 'br';
  return taken.has('gzip') ? 'gzip' : 'identity';
}

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
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    const { body, etag } = await copyOf(file, encoding);
    reply.header('vary', 'accept-encoding').header('etag', etag);
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send();
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply.type(types[extname(file)] ?? 'application/octet-stream').send(body);
  };
}
