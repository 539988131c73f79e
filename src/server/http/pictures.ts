/**
 * Serves profile images without a login, so that an `<img>` can show them; their names cannot be guessed. ID documents are
 * never served here.
 */
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#contract/errors.ts';

/** Adds the route. `read` returns a stored file by name, or undefined. Only avatars (WebP) are served. */
export function servePictures(
  app: FastifyInstance,
  read: (name: string) => Promise<Buffer | undefined>,
): void {
  app.get<{ Params: { name: string } }>('/files/avatars/:name', async (request, reply) => {
    const { name } = request.params;
    const bytes = /^avatar-[0-9a-f]{32}\.webp$/.test(name) ? await read(name) : undefined;
    if (!bytes) throw new Refusal('NOT_FOUND');
    return reply
      .type('image/webp')
      .header('cache-control', 'private, max-age=86400, immutable')
      .header('content-disposition', 'inline; filename="avatar.webp"')
      .send(bytes);
  });
}
