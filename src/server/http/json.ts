/**
 * How a JSON body is read: strictly. Numbers must be exact, so that no amount is rounded before anybody looks at it;
 * bytes must be UTF-8; names that reach into objects' prototypes are refused.
 */
import type { FastifyInstance } from 'fastify';
import { maxJsonBytes } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as transferMessages from '#contract/messages/transfer.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
const contentType = /^application\/json(?:\s*;\s*charset=utf-8)?$/i;
/** Every decimal of up to 15 significant digits survives the way through a double (IEEE 754). */
const exactDigits = 15;

const notJson = () => new Refusal('VALIDATION', { message: errorMessages.notJson });

function keepExact(key: string, value: unknown, context: { source?: string }): unknown {
  if (key === '__proto__' || key === 'constructor' || key === 'prototype') throw notJson();
  if (typeof value === 'number' && context.source !== undefined) {
    const digits = context.source.replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '');
    if (digits.length > exactDigits || Object.is(value, -0))
      throw new Refusal('VALIDATION', { message: transferMessages.invalidAmount });
  }
  return value;
}

/**
 * What a text must hold for `keepExact` to find anything: one of the names, also written with escapes, more digits than a
 * number may have, an exponent, a negative zero, or anything deep. Looking at every value costs several times what reading does.
 */
const mayNeedLook = /__proto__|constructor|prototype|\\|[\d.]{16}|\de|-0|[[{].*[[{]/is;

/**
 * Makes `app` accept JSON bodies as they are, and no other kind except the multipart forms that routes read themselves. A
 * packed body is refused unopened: what it would grow to is known only afterwards.
 */
export function acceptJson(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ headers }) => {
    if (!/^(identity)?$/i.test(headers['content-encoding']?.trim() ?? ''))
      throw new Refusal('UNSUPPORTED_TYPE', { message: errorMessages.notJson });
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    /^application\/json/i,
    { parseAs: 'buffer', bodyLimit: maxJsonBytes },
    (request, body, done) => {
      try {
        if (!contentType.test(request.headers['content-type'] ?? ''))
          throw new Refusal('UNSUPPORTED_TYPE', { message: errorMessages.notJson });
        if (body.length === 0) return done(null, undefined);
        const text = utf8.decode(body as Buffer);
        done(null, JSON.parse(text, mayNeedLook.test(text) ? (keepExact as never) : undefined));
      } catch (error) {
        done(error instanceof Refusal ? error : notJson());
      }
    },
  );
}
