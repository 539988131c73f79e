/** Decodes a request as its contract record describes it: params, query, body, files and headers. */
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { idempotencyKey as keyRule } from '#contract/constants.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { type Failure, Refusal } from '#contract/errors.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import { missingFile, readForm, type Upload } from './uploads.ts';

/** The schema of a query or body that the contract does not describe. */
const nothing = z.optional(z.strictObject({}));

/** Decodes the body and, for a form, reads its files. `customerId`: the sender, if it is a customer. */
export async function readBody(
  endpoint: Endpoint,
  request: FastifyRequest,
  customerId: string | undefined,
): Promise<{ body: unknown; files: Record<string, Upload> }> {
  if (!endpoint.files) {
    if (request.isMultipart()) throw new Refusal('UNSUPPORTED_TYPE', { message: errorMessages.notJson });
    return { body: decode(endpoint.body ?? nothing, request.body), files: {} };
  }
  const form = await readForm(request, endpoint.files, customerId);
  // Text fields are checked before missing files, so the form's first message is about a text field.
  const body = decode(endpoint.body ?? nothing, form.fields);
  const missing = missingFile(endpoint.files, form.files);
  if (missing) throw new Refusal('VALIDATION', { message: missing.message, errors: [missing] });
  return { body, files: form.files };
}

/** Decodes the parameters of the path and the query. */
export function readParameters(
  endpoint: Endpoint,
  request: FastifyRequest,
): { params: unknown; query: unknown } {
  return {
    params: endpoint.params && decode(endpoint.params, request.params),
    query: readQuery(endpoint.query ?? nothing, request.query as Record<string, unknown>),
  };
}

function readQuery(schema: z.ZodMiniType, query: Record<string, unknown>): unknown {
  const entries = Object.entries(query);
  // A query parameter given twice has no single meaning.
  if (entries.some(([, value]) => typeof value !== 'string')) throw new Refusal('VALIDATION');
  const filled = entries.filter(([, value]) => value !== '');
  if (filled.length < entries.length) refuseUnknown(schema, query);
  // An empty filter counts as no filter.
  return decode(schema, Object.fromEntries(filled));
}

/** Refuses fields that the schema does not know, regardless of other errors. */
function refuseUnknown(schema: z.ZodMiniType, input: unknown): void {
  const issues = z.safeDecode(schema, input as never).error?.issues ?? [];
  const unknown = issues.filter(issue => issue.code === 'unrecognized_keys');
  if (unknown.length > 0) throw toValidation(unknown);
}

function decode(schema: z.ZodMiniType, input: unknown): unknown {
  // A rule without its own message gets the general one.
  const result = z.safeDecode(schema, input as never, { error: () => errorMessages.validation });
  if (result.success) return result.data;
  throw toValidation(result.error.issues);
}

/** The most errors that an answer lists. */
const maxErrors = 20;

function toValidation(issues: readonly z.core.$ZodIssue[]): Refusal {
  const errors: NonNullable<Failure['errors']> = [];
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, maxErrors)) {
        const field = key.slice(0, 60);
        errors.push({ field, message: fill(errorMessages.unknownField, { field }) });
      }
    } else {
      errors.push({ field: issue.path.join('.'), message: issue.message });
    }
  }
  return new Refusal('VALIDATION', {
    message: errors[0]?.message ?? errorMessages.validation,
    errors: errors.slice(0, maxErrors),
  });
}

/** The `Idempotency-Key` header. */
export function readKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (
    typeof key !== 'string' ||
    !/^[\x21-\x7e]+$/.test(key) ||
    key.length < keyRule.minLength ||
    key.length > keyRule.maxLength
  ) {
    const message = fill(errorMessages.idempotencyKey, { min: keyRule.minLength, max: keyRule.maxLength });
    throw new Refusal('VALIDATION', { errors: [{ field: 'Idempotency-Key', message }] });
  }
  return key;
}

/** The proof of the `Step-Up` header. A malformed proof counts as no proof. */
export function readProof(request: FastifyRequest): string | undefined {
  const proof = request.headers['step-up'];
  return typeof proof === 'string' && /^[\w-]{43}$/.test(proof) ? proof : undefined;
}
