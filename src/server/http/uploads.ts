/**
 * Forms with pictures. Everything is read into memory under hard limits, nothing touches a disk, and all forms under way
 * share one budget of bytes, of which nobody gets more than a part: a flood of uploads is told to come back and can take
 * neither the bank with it nor the others' place.
 */
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { image, registration } from '#contract/constants.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { Refusal } from '#contract/errors.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as registerMessages from '#contract/messages/register.ts';
import { groupOf } from './limits.ts';

/** A file as it was sent: nothing about it is believed. `filename` is the sender's own word. */
export type Upload = { bytes: Buffer; filename: string };

/** The text fields and files of a form, by field name. */
export type Form = { fields: Record<string, string>; files: Record<string, Upload> };

type Files = NonNullable<Endpoint['files']>;

const maxFields = 30;
const maxFieldBytes = 4 * 1024;
/** A longer name arrives cut to this length. */
const maxNameBytes = 100;
const maxHeaders = 20;
/** Bytes of uploads in memory at once, over all requests; each form counts for some before its first byte. */
const budgetBytes = 128 * 1024 * 1024;
const bytesOfAForm = 64 * 1024;
/** Of these, what the forms of one address and those of one person may take. One form at its largest has 20 MB. */
const shareOf = { address: budgetBytes / 2, person: budgetBytes / 4 } as const;
/** A form that brings less in this time is not on its way: the slowest of lines bring three times as much. */
const leastBytes = 16 * 1024;
const leastWithinMs = 10_000;

let takenBytes = 0;
const held = new WeakMap<FastifyRequest, number>();
/** What the forms of an address or a person have taken; and whose a form is, each with the part that is theirs. */
const shares = new Map<string, number>();
const owners = new WeakMap<FastifyRequest, Map<string, number>>();
/** Whose answer is out, or who hung up: a reader that still goes on for one of them may take nothing more. */
const ended = new WeakSet<FastifyRequest>();

/**
 * Lets `app` take forms; with `sharesOfAddresses` the forms of one address share a part of the budget. Memory a form took
 * is given back when its answer is out, or its sender has hung up.
 */
export async function registerUploads(app: FastifyInstance, sharesOfAddresses: boolean): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false });
  app.addHook('onRequest', async (request, reply) => {
    if (!/^multipart\//i.test(request.headers['content-type'] ?? '')) return;
    owners.set(request, new Map(sharesOfAddresses ? [[groupOf(request.ip), shareOf.address]] : []));
    reply.raw.once('close', () => {
      ended.add(request);
      add(request, -(held.get(request) ?? 0));
    });
  });
}

/** Bytes of uploads that are in memory now, for the metrics. */
export function uploadBytes(): number {
  return takenBytes;
}

/**
 * Reads a form whose files are those of the contract. Throws `TOO_LARGE` for a file over 10 MB, `UNSUPPORTED_TYPE` for
 * what is no form, `BUSY` where the budget is used up, `TOO_MANY` where that of its address or of `personId` is, and
 * `VALIDATION` for anything unknown, doubled, cut short, too late, too many or of the other kind (a text sent as a file, a
 * file as a text).
 */
export async function readForm(request: FastifyRequest, expected: Files, personId?: string): Promise<Form> {
  if (!request.isMultipart()) {
    throw new Refusal('UNSUPPORTED_TYPE', { message: errorMessages.validation });
  }
  const late = new AbortController();
  const deadline = setTimeout(() => late.abort(), registration.timeoutMs);
  const { socket } = request.raw;
  let arrived = socket.bytesRead;
  const pace = setInterval(() => {
    if (socket.bytesRead - arrived < leastBytes) late.abort();
    arrived = socket.bytesRead;
  }, leastWithinMs);
  if (personId !== undefined) owners.get(request)?.set(personId, shareOf.person);
  try {
    return await Promise.race([readParts(request, expected), refuseWhenLate(late.signal)]);
  } catch (error) {
    // Whatever is still on its way is let through unread, so that the sender gets to see the answer.
    request.raw.unpipe();
    request.raw.resume();
    throw toFormRefusal(error);
  } finally {
    clearTimeout(deadline);
    clearInterval(pace);
  }
}

/** The required file that is missing, with the contract's sentence for it; undefined where none is. */
export function missingFile(
  expected: Files,
  got: Record<string, Upload>,
): { field: string; message: string } | undefined {
  for (const [field, { required, missing }] of Object.entries(expected)) {
    if (required && !got[field]) return { field, message: missing ?? errorMessages.validation };
  }
  return undefined;
}

async function readParts(request: FastifyRequest, expected: Files): Promise<Form> {
  // Without prototypes: a field may be called anything.
  const fields: Record<string, string> = Object.create(null);
  const files: Record<string, Upload> = Object.create(null);
  const mostFiles = Object.keys(expected).length;
  take(request, bytesOfAForm);
  const parts = request.parts({
    limits: {
      files: mostFiles,
      fields: maxFields,
      parts: maxFields + mostFiles,
      fileSize: image.maxBytes,
      fieldSize: maxFieldBytes,
      fieldNameSize: maxNameBytes,
      headerPairs: maxHeaders,
    },
  });
  for await (const part of parts) {
    const name = part.fieldname;
    if (name === undefined || name.length >= maxNameBytes || name in fields || name in files) {
      throw refuse(name);
    }
    if (part.type === 'field') {
      // A part that calls itself JSON arrives parsed; a form has texts.
      if (typeof part.value !== 'string' || part.valueTruncated || part.fieldnameTruncated)
        throw refuse(name);
      if (Object.hasOwn(expected, name)) throw refuse(name);
      fields[name] = part.value;
      continue;
    }
    if (!Object.hasOwn(expected, name)) throw refuse(name);
    const chunks: Buffer[] = [];
    for await (const chunk of part.file as AsyncIterable<Buffer>) {
      take(request, chunk.length);
      chunks.push(chunk);
    }
    if (part.file.truncated) throw new Refusal('TOO_LARGE');
    const bytes = Buffer.concat(chunks);
    // A file field left empty in a browser is sent as a file without name and bytes.
    if (bytes.length > 0 || part.filename) files[name] = { bytes, filename: part.filename };
  }
  // A plain object again: this is what schemas expect of a form.
  return { fields: { ...fields }, files: { ...files } };
}

function take(request: FastifyRequest, bytes: number): void {
  if (ended.has(request)) throw new Refusal('VALIDATION');
  if (takenBytes + bytes > budgetBytes) throw new Refusal('BUSY', { waitTime: 5 });
  for (const [owner, part] of owners.get(request) ?? []) {
    if ((shares.get(owner) ?? 0) + bytes > part) throw new Refusal('TOO_MANY', { waitTime: 5 });
  }
  add(request, bytes);
}

/** Counts bytes, or fewer of them, to everybody's budget and to the shares of whoever sent the form. */
function add(request: FastifyRequest, bytes: number): void {
  takenBytes += bytes;
  held.set(request, (held.get(request) ?? 0) + bytes);
  for (const owner of owners.get(request)?.keys() ?? []) {
    const share = (shares.get(owner) ?? 0) + bytes;
    if (share > 0) shares.set(owner, share);
    else shares.delete(owner);
  }
}

function refuse(field: string | undefined): Refusal {
  if (field === undefined) return new Refusal('VALIDATION');
  const message = fill(errorMessages.unknownField, { field: field.slice(0, 60) });
  return new Refusal('VALIDATION', { errors: [{ field: field.slice(0, 60), message }] });
}

function refuseWhenLate(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () =>
      reject(new Refusal('VALIDATION', { message: registerMessages.timeout })),
    );
  });
}

/** Whatever the parser stumbled over was sent so: a form that is broken, cut short or over a limit. */
function toFormRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('VALIDATION');
}
