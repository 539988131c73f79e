/**
 * Parses JSON bodies strictly. Numbers must be exactly representable, so that no amount is rounded before it is checked. Bytes
 * must be UTF-8. Names that could pollute prototypes are refused.
 */
import type { FastifyInstance } from 'fastify';
import { maxJsonBytes } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as transferMessages from '#contract/messages/transfer.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
const contentType = /^application\/json(?:\s*;\s*charset=utf-8)?$/i;
/** Every decimal of up to 15 significant digits survives conversion to a double and back (IEEE 754). */
const maxExactDigits = 15;

const notJson = () => new Refusal('VALIDATION', { message: errorMessages.notJson });

function checkValue(key: string, value: unknown, context: { source?: string }): unknown {
  if (key === '__proto__' || key === 'constructor' || key === 'prototype') throw notJson();
  if (typeof value === 'number' && context.source !== undefined) {
    const digits = context.source.replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '');
    if (digits.length > maxExactDigits || Object.is(value, -0))
      throw new Refusal('VALIDATION', { message: transferMessages.invalidAmount });
  }
  return value;
}

/**
 * Matches every text that `checkValue` could refuse: one with a forbidden name, an escape, too many digits, an exponent or a
 * negative zero. Also matches nested texts, because the check fails if they are nested too deeply. Checking every value costs
 * several times as much as parsing, so other texts skip the check.
 */
const mayNeedCheck = /__proto__|constructor|prototype|\\|[\d.]{16}|\de|-0|[[{].*[[{]/is;

/**
 * Makes `app` accept JSON bodies, and no other type except the multipart forms that routes read themselves. A compressed body
 * is refused without decompressing it, because its size is known only afterward (a decompression bomb).
 */
export function acceptJson(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers }, _, done) => {
    if (!/^(identity)?$/i.test(headers['content-encoding']?.trim() ?? ''))
      throw new Refusal('UNSUPPORTED_TYPE', { message: errorMessages.notJson });
    done();
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
        done(null, JSON.parse(text, mayNeedCheck.test(text) ? (checkValue as never) : undefined));
      } catch (error) {
        done(error instanceof Refusal ? error : notJson());
      }
    },
  );
}
