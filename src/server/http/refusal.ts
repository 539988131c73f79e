/** Turns any error into the failure envelope with its status. Unexpected errors are logged and their details are hidden. */
import type { FastifyBaseLogger, FastifyReply } from 'fastify';
import { type Failure, Refusal, type RefusalCode, refusals } from '#contract/errors.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { asRefusal } from '../db/database.ts';

/** The refusals for Fastify's own errors, by their code. */
const fastifyErrors: Record<string, { code: RefusalCode; message?: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'TOO_LARGE' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'UNSUPPORTED_TYPE', message: errorMessages.notJson },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: 'VALIDATION', message: errorMessages.notJson },
  FST_ERR_CTP_INVALID_JSON_BODY: { code: 'VALIDATION', message: errorMessages.notJson },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'VALIDATION' },
  FST_ERR_BAD_URL: { code: 'VALIDATION' },
  FST_ERR_ASYNC_CONSTRAINT: { code: 'VALIDATION' },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'NOT_FOUND' },
};

/** Returns the refusal that an error means; for an unexpected error, logs it and returns `FAULT`. */
export function toRefusal(error: unknown, log: FastifyBaseLogger): Refusal {
  const known = asRefusal(error);
  if (known instanceof Refusal) return known;
  const { code, statusCode } = error as { code?: string; statusCode?: number };
  const mapped = fastifyErrors[code ?? ''];
  if (mapped)
    return new Refusal(mapped.code, mapped.message === undefined ? {} : { message: mapped.message });
  if (statusCode === 404) return new Refusal('NOT_FOUND');
  if (statusCode === 429) return new Refusal('TOO_MANY', { waitTime: 60 });
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new Refusal('VALIDATION');
  log.error({ err: error }, 'fault');
  return new Refusal('FAULT', { cause: error });
}

const refusalsSent = new WeakMap<object, Refusal>();

/** The refusal that explains this reply, for the log, the metrics and the traces; undefined if there is none. */
export function refusalOf({ raw }: FastifyReply): Refusal | undefined {
  return refusalsSent.get(raw);
}

/** Records the cause of a 5xx that is sent without an envelope (`/readyz`), as a `BUSY` refusal. */
export function noteReason({ raw }: FastifyReply, cause: unknown): void {
  refusalsSent.set(raw, new Refusal('BUSY', { cause }));
}

/** Sends a refusal as its envelope. */
export function sendRefusal(reply: FastifyReply, refusal: Refusal): FastifyReply {
  refusalsSent.set(reply.raw, refusal);
  const { message, code, data } = refusal;
  const envelope: Failure = { success: false, message, code, ...data, ...(data && { data }) };
  if (refusal.errors) envelope.errors = refusal.errors;
  if (refusal.challenge) envelope.challenge = refusal.challenge;
  const { status } = refusals[refusal.code];
  if (status === 429 || status === 503) {
    const seconds = Math.max(1, Math.ceil(refusal.waitTime ?? 2));
    reply.header('retry-after', String(seconds));
    if (status === 429 || refusal.waitTime !== undefined) envelope.waitTime = seconds;
  }
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(envelope));
}
