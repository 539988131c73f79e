/**
 * Parses JSON bodies strictly. Numbers must be exactly representable, so that no amount is rounded before it is checked. Bytes
 * must be UTF-8. Names that could pollute prototypes, and equal names in one object, are refused.
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

const forbiddenNames = new Set(['__proto__', 'constructor', 'prototype']);
/** Strings, which are names if a colon follows; numbers; opening brackets. */
const tokens = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|(-?\d[\d.e+-]*)|[[{]/gi;
/** Far more than the body of any call has. This limits the depth, too. */
const maxTokens = 1000;
/** Texts with more commas are refused before parsing. It is twice `maxTokens`, because a paragraph contains commas, too. */
const maxCommas = 2 * maxTokens;
/** Longer texts are always checked, because they can have thousands of names. */
const maxUnchecked = 4_096;

/**
 * Checks the tokens of a valid JSON text and returns the number of its names. A regular expression finds them, not a reviver of
 * `JSON.parse`: the reviver's time grows with the square of an array's length, and 64 kB take it 50 ms.
 */
function checkTokens(text: string): number {
  let [count, names] = [0, 0];
  for (const [, string, colon, number] of text.matchAll(tokens)) {
    if (++count > maxTokens) throw notJson();
    if (number !== undefined) checkNumber(number);
    if (colon !== undefined) names++;
    if (string !== undefined && colon !== undefined && forbiddenNames.has(JSON.parse(string) as string))
      throw notJson();
  }
  return names;
}

/** How many names a valid JSON text without escapes has. */
function countWrittenNames(text: string): number {
  let names = 0;
  for (const [, colon] of text.matchAll(/"[^"]*"(\s*:)?/g)) if (colon !== undefined) names++;
  return names;
}

/** How many names a parsed value has. Of two equal names in one object, JSON.parse keeps one. */
function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  return Object.values(value).reduce<number>((sum, inner) => sum + countNames(inner), own);
}

function checkNumber(number: string): void {
  const digits = number.replace(/e.*$/i, '').replace(/[-.]/g, '').replace(/^0+/, '');
  if (digits.length > maxExactDigits || Object.is(Number(number), -0))
    throw new Refusal('VALIDATION', { message: transferMessages.invalidAmount });
}

/**
 * Matches every text in which `checkTokens` could refuse a name, a number or nesting: one with a forbidden name, an escape, too
 * many digits, an exponent, a negative zero or nested values. Checking takes longer than parsing, so other short texts skip the
 * check.
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
        if (text.split(',').length - 1 > maxCommas) throw notJson();
        const parsed: unknown = JSON.parse(text);
        const needsCheck = text.length > maxUnchecked || mayNeedCheck.test(text);
        const names = needsCheck ? checkTokens(text) : countWrittenNames(text);
        if (names !== countNames(parsed)) throw notJson();
        done(null, parsed);
      } catch (error) {
        done(error instanceof Refusal ? error : notJson());
      }
    },
  );
}
