/**
 * Reads multipart forms with pictures. Forms are read into memory under hard limits and never written to disk. All forms in
 * progress share one memory budget. Each address (for IPv6 its /48) and each person gets only a part of it. If it is full, the
 * address that uses the most of it can lose its largest form. So a flood of uploads is refused without exhausting memory or
 * blocking other senders.
 */
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { image, registration } from '#contract/constants.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { Refusal } from '#contract/errors.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as registerMessages from '#contract/messages/register.ts';
import { networkGroup } from '../base/addressGroup.ts';
import { isForm, openBrake } from './bodies.ts';
import { addressOf } from './limits.ts';

/** A file as it was sent, not validated. `filename` is chosen by the sender. */
export type Upload = { bytes: Buffer; filename: string };

/** The text fields and files of a form, by field name. */
export type Form = { fields: Record<string, string>; files: Record<string, Upload> };

type Files = NonNullable<Endpoint['files']>;

const maxFields = 30;
const maxFieldBytes = 4 * 1024;
/** A longer field name arrives truncated to this length. */
const maxNameBytes = 100;
const maxHeaders = 20;
/** Bytes of uploads in memory, over all requests. Each form reserves `minFormBytes` before its first byte. */
const budgetBytes = 128 * 1024 * 1024;
const minFormBytes = 64 * 1024;
/** The parts of the budget, in bytes, for the forms of one address and of one person. The largest form has 20 MB. */
const maxShares = { address: budgetBytes / 2, person: budgetBytes / 4 } as const;
/** A form that sends less than this per interval counts as stalled. The slowest real connections are three times as fast. */
const minBytes = 16 * 1024;
const minBytesWithinMs = 10_000;

let usedBytes = 0;
/** The forms in progress, and the bytes that each has in memory. */
const heldBytes = new Map<FastifyRequest, number>();
/**
 * Bytes used by each address or person. `sharesOfForm`: for each form, the limits of the address and person that it counts
 * against.
 */
const shares = new Map<string, number>();
const sharesOfForm = new WeakMap<FastifyRequest, Map<string, number>>();
/** Forms whose memory was released: their readers may not reserve anymore. */
const ended = new WeakSet<FastifyRequest>();
/** Forms that were read. A handler needs their memory until it ends, even if the client disconnects. */
const wasRead = new WeakSet<FastifyRequest>();

/**
 * Makes `app` accept forms. `sharesOfAddresses`: whether to limit each address to a part of the budget. A half-sent form's
 * memory is released when its client disconnects; handlers release a form that they have read with `releaseForm`.
 */
export async function registerUploads(app: FastifyInstance, sharesOfAddresses: boolean): Promise<void> {
  await app.register(multipart, { throwFileSizeLimit: false });
  app.addHook('onRequest', async (request, reply) => {
    if (!isForm(request)) return;
    const address = addressOf(request);
    // The client has disconnected, so its form is not read.
    if (address === undefined) return;
    sharesOfForm.set(request, new Map(sharesOfAddresses ? [[networkGroup(address), maxShares.address]] : []));
    reply.raw.once('close', () => {
      if (!wasRead.has(request)) releaseForm(request);
    });
  });
}

/** Returns the bytes of uploads that are in memory now, for the metrics. */
export function uploadBytes(): number {
  return usedBytes;
}

/**
 * Reads a form with the files that the contract lists. Throws `TOO_LARGE` for a file over 10 MB and `UNSUPPORTED_TYPE` if the
 * request is not a form. Throws `BUSY` if the budget is used up, and `TOO_MANY` if the share of the address or of `personId` is
 * used up. Throws `VALIDATION` for unknown or duplicate fields, truncated or late forms, too many fields, or a text sent as a
 * file and vice versa.
 */
export async function readForm(request: FastifyRequest, expected: Files, personId?: string): Promise<Form> {
  if (!request.isMultipart()) {
    throw new Refusal('UNSUPPORTED_TYPE', { message: errorMessages.validation });
  }
  const late = new AbortController();
  const deadline = setTimeout(() => late.abort(), registration.timeoutMs);
  const { socket } = request.raw;
  let bytesBefore = socket.bytesRead;
  const paceCheck = setInterval(() => {
    if (socket.bytesRead - bytesBefore < minBytes) late.abort();
    bytesBefore = socket.bytesRead;
  }, minBytesWithinMs);
  if (personId !== undefined) sharesOfForm.get(request)?.set(personId, maxShares.person);
  try {
    const form = await Promise.race([readParts(request, expected), refuseWhenLate(late.signal)]);
    if (ended.has(request)) throw new Refusal('VALIDATION');
    wasRead.add(request);
    return form;
  } catch (error) {
    // Discards the rest of the body, so that the client finishes sending and reads the response.
    request.raw.unpipe().pipe(openBrake());
    throw toFormRefusal(error);
  } finally {
    clearTimeout(deadline);
    clearInterval(paceCheck);
  }
}

/** Returns the first required file that is missing, with the contract's message; undefined if none is missing. */
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
  // Without prototypes, because a field may have any name.
  const fields: Record<string, string> = Object.create(null);
  const files: Record<string, Upload> = Object.create(null);
  const maxFiles = Object.keys(expected).length;
  reserve(request, minFormBytes);
  request.raw.pipe(openBrake());
  const parts = request.parts({
    limits: {
      files: maxFiles,
      fields: maxFields,
      parts: maxFields + maxFiles,
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
      // The parser turns a part with a JSON content type into an object; only texts are allowed.
      if (typeof part.value !== 'string' || part.valueTruncated || part.fieldnameTruncated)
        throw refuse(name);
      if (Object.hasOwn(expected, name)) throw refuse(name);
      fields[name] = part.value;
      continue;
    }
    if (!Object.hasOwn(expected, name)) throw refuse(name);
    const chunks: Buffer[] = [];
    for await (const chunk of part.file as AsyncIterable<Buffer>) {
      reserve(request, chunk.length);
      chunks.push(chunk);
    }
    if (part.file.truncated) throw new Refusal('TOO_LARGE');
    const bytes = Buffer.concat(chunks);
    // Browsers send an empty file field as a file without name and bytes.
    if (bytes.length > 0 || part.filename) files[name] = { bytes, filename: part.filename };
  }
  // Schemas expect plain objects.
  return { fields: { ...fields }, files: { ...files } };
}

function reserve(request: FastifyRequest, bytes: number): void {
  if (ended.has(request)) throw new Refusal('VALIDATION');
  if (usedBytes + bytes > budgetBytes) cutOffLargest(request, bytes);
  if (usedBytes + bytes > budgetBytes) throw new Refusal('BUSY', { waitTime: 5 });
  for (const [owner, share] of sharesOfForm.get(request) ?? []) {
    if ((shares.get(owner) ?? 0) + bytes > share) throw new Refusal('TOO_MANY', { waitTime: 5 });
  }
  changeHeld(request, bytes);
}

/**
 * Disconnects the largest half-sent form of the address that uses the most memory, if that address uses more than the sender of
 * `request` will with `bytes` more.
 */
function cutOffLargest(request: FastifyRequest, bytes: number): void {
  const shareOf = ({ ip }: FastifyRequest) => shares.get(networkGroup(ip)) ?? 0;
  const own = shareOf(request) + bytes;
  const [largest] = [...heldBytes]
    .filter(([form]) => !wasRead.has(form) && shareOf(form) > own)
    .sort(([a, aBytes], [b, bBytes]) => shareOf(b) - shareOf(a) || bBytes - aBytes);
  if (!largest) return;
  const [form] = largest;
  releaseForm(form);
  form.raw.destroy();
}

/** Releases the memory of a form, which may not reserve anymore. Call it when the form's handler has ended. */
export function releaseForm(request: FastifyRequest): void {
  ended.add(request);
  changeHeld(request, -(heldBytes.get(request) ?? 0));
  heldBytes.delete(request);
}

/** Adds bytes (negative to release them) to the budget and to the form's shares. */
function changeHeld(request: FastifyRequest, bytes: number): void {
  usedBytes += bytes;
  heldBytes.set(request, (heldBytes.get(request) ?? 0) + bytes);
  for (const owner of sharesOfForm.get(request)?.keys() ?? []) {
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

/** Parser errors are the sender's fault: the form is malformed, truncated or over a limit. */
function toFormRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal('VALIDATION');
}
