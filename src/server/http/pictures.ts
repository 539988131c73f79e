/** Profile images: open to whoever knows the unguessable name, so that an `<img>` can show them; ID documents are never served here. */
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#contract/errors.ts';

/** `read` gives a stored file by name. Avatars are WebP and their names end so; nothing else is found here. */
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
