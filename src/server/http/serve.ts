/**
 * Turns a contract record and a handler into a route: checks the session, runs the handler, encodes the response. A handler
 * gets only data that the contract describes, and a response contains only data that the contract lists.
 */
import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { liveUpdates, type personQuotas } from '#contract/constants.ts';
import type { Answer, Api, Asked, Decoded, Endpoint } from '#contract/endpoint.ts';
import { Refusal } from '#contract/errors.ts';
import { Approval } from '#contract/fourEyes.ts';
import * as factorsMessages from '#contract/messages/factors.ts';
import { fill } from '#contract/messages/fill.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { type DecodedStepUpChallenge, type StepUp, StepUpChallenge } from '#contract/stepUp.ts';
import type { RateLimit } from '../base/rateLimit.ts';
import { hasBody } from './bodies.ts';
import { readDeviceCookie, sendDeviceCookie } from './deviceCookie.ts';
import type { FileDownloads } from './fileDownloads.ts';
import type { PersonLimiter } from './limits.ts';
import { readBody, readKey, readParameters, readProof } from './readRequest.ts';
import { sendRefusal, toRefusal } from './refusal.ts';
import type { AdminSession, CustomerSession, NamedCustomer, Session, Sessions } from './session.ts';
import { releaseForm, type Upload } from './uploads.ts';

/** Where a request came from. `browser`: the hash of its device cookie, for calls that use it. */
export type Caller = { address: string; userAgent: string; requestId: string; browser: Buffer | undefined };

type SessionPart<E extends Endpoint> = E['access'] extends 'customer'
  ? { customer: E['checkedByLedger'] extends true ? NamedCustomer : CustomerSession }
  : E['access'] extends 'admin'
    ? { admin: AdminSession }
    : E['recognizesCustomer'] extends true
      ? { customer: CustomerSession | undefined }
      : unknown;

type FilesPart<E extends Endpoint> =
  E['files'] extends Readonly<Record<string, unknown>>
    ? {
        files: {
          [K in keyof E['files']]: E['files'][K] extends { required: true } ? Upload : Upload | undefined;
        };
      }
    : unknown;

/** A decoded request. */
export type Request<E extends Endpoint> = Decoded<E> &
  Caller &
  SessionPart<E> &
  FilesPart<E> & { idempotencyKey: string | undefined } & (E['stepUp'] extends true
    ? { stepUpProof: string | undefined }
    : unknown);

/** A file to save. `name` has only letters, digits, hyphens and dots. */
export type SavedFile = { name: string; contentType: string; content: Readable };

/**
 * What a handler returns: the data that the contract lists, with a message if the contract's is not specific enough; or a
 * picture, a stream of events, a file, or a request for a second approval.
 */
export type Reply<E extends Endpoint> = E['fourEyes'] extends true ? Done<E> | Asked : Done<E>;

type Done<E extends Endpoint> = E['answer'] extends 'picture'
  ? { picture: Uint8Array }
  : E['answer'] extends 'events'
    ? { events: Readable }
    : E['answer'] extends 'file'
      ? { file: SavedFile }
      : E['data'] extends z.ZodMiniType
        ? { data: Answer<E>; message?: string }
        : // biome-ignore lint/suspicious/noConfusingVoidType: a handler without data may simply end
          { message?: string } | void;

/** One handler for every call of an area. */
export type Handlers<A extends Api> = {
  [K in keyof A]: (request: Request<A[K]>) => Promise<Reply<A[K]>>;
};

type AnyHandler = (request: never) => Promise<
  | {
      data?: unknown;
      message?: string;
      picture?: Uint8Array;
      events?: Readable;
      file?: SavedFile;
      approval?: Asked['approval'];
    }
  | undefined
>;
declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the response is a stream that stays open. It then does not count as a request in flight. */
    staysOpen?: boolean;
  }
}

/** The callers of admitted requests. */
const callers = new WeakMap<FastifyRequest, { customer: NamedCustomer } | { admin: AdminSession }>();
/** Requests that have reached their handler. */
const reachedHandler = new WeakSet<FastifyRequest>();

/** What checks and limits the calls of people who are logged in. */
export type Guards = {
  sessions: Sessions;
  /** By the id of a customer or administrator. The workers of one server count together. */
  quotas: Readonly<Record<keyof typeof personQuotas, RateLimit>>;
  limitPerson: PersonLimiter;
  files: FileDownloads;
  /** Opens the challenge of an act that needs a step-up. */
  openChallenge: (customer: NamedCustomer, stepUp: StepUp) => Promise<DecodedStepUpChallenge>;
  /** Whether administrators without a second factor can only set one up. */
  requiresAdminFactor: boolean;
  /** Whether `PUBLIC_URL` is https. */
  isHttps: boolean;
};

/** Adds an area's routes. `guards` check every call that is not open to visitors. */
export function serveArea<A extends Api>(
  app: FastifyInstance,
  api: A,
  handlers: Handlers<A>,
  guards: Guards,
): void {
  const { sessions } = guards;
  for (const [name, endpoint] of Object.entries(api)) {
    const handler = handlers[name as keyof A] as AnyHandler;
    app.route({
      method: endpoint.method,
      url: endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      config: {
        staysOpen: endpoint.answer === 'events' || endpoint.answer === 'file',
        addressQuota: endpoint.addressQuota,
      },
      // No HEAD routes: a HEAD would be audited as a view although nothing was sent.
      exposeHeadRoute: false,
      // Checked before the body is read, so that an unauthorized caller cannot make the server wait for a body.
      onRequest: async request => {
        if (endpoint.access === 'none') return;
        const claims = await sessions.read(request.headers);
        const { personId: customerId, sessionId, kind } = claims;
        if (endpoint.checkedByLedger && kind === 'customer') {
          callers.set(request, { customer: { customerId, sessionId } });
        } else {
          callers.set(request, admit(endpoint, guards, await sessions.find(claims), request.headers));
        }
      },
      handler: (request, reply) => {
        const served = serve(endpoint, handler, guards, request, reply);
        return endpoint.files ? served.finally(() => releaseForm(request)) : served;
      },
      // An ended session takes precedence over every other error in the request.
      ...(endpoint.checkedByLedger && {
        errorHandler: async (error, request, reply) => {
          let refused = error;
          if (callers.has(request) && !reachedHandler.has(request)) {
            await readmit(endpoint, guards, request).catch((earlier: typeof error) => {
              refused = earlier;
            });
          }
          return sendRefusal(reply, toRefusal(refused, request.log));
        },
      }),
    });
  }
}

async function serve(
  endpoint: Endpoint,
  handler: AnyHandler,
  guards: Guards,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { params, query } = readParameters(endpoint, request);
  const { body, files } = await readBody(endpoint, request, customerOf(request)?.customerId);
  const idempotencyKey = endpoint.idempotent ? readKey(request) : undefined;
  const stepUpProof = endpoint.stepUp ? readProof(request) : undefined;
  // A body can take a long time to arrive, so the session is checked again afterward.
  if (callers.has(request) && !endpoint.checkedByLedger && hasBody(request)) {
    callers.set(request, await readmit(endpoint, guards, request));
  }
  const customer = customerOf(request);
  const searcher = endpoint.findsReceiver && customer;
  if (searcher) guards.quotas.misses.check(searcher.customerId);
  reachedHandler.add(request);
  const device = endpoint.usesDeviceCookie ? readDeviceCookie(request.headers, guards.isHttps) : undefined;
  const recognized = endpoint.recognizesCustomer && { customer: await recognize(guards, request) };
  const handle = () =>
    handler({
      ...callers.get(request),
      ...recognized,
      params,
      query,
      body,
      files,
      idempotencyKey,
      stepUpProof,
      address: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      requestId: request.id,
      browser: device?.browser,
    } as never);
  if (endpoint.answer === 'file')
    guards.files.begin(reply, personOf(request)!, () => readmit(endpoint, guards, request));
  const person = personOf(request);
  const refund =
    endpoint.quota && person !== undefined ? guards.quotas[endpoint.quota].spend(person) : undefined;
  const readsHistory =
    endpoint.readsHistory === true || (endpoint.readsHistory === 'with a filter' && hasFilter(query));
  const call = { endpoint, request, reply, readsHistory };
  const answer = await limitedByPerson(guards, call, handle).catch(async error => {
    const code = error instanceof Refusal ? error.code : 'INTERNAL';
    // The ticket for the second step works only in the browser that has this cookie.
    if (device && code === 'SECOND_FACTOR') sendDeviceCookie(reply, device, guards.isHttps);
    if (!countedRefusals.has(code)) refund?.();
    if (searcher && code === 'NOT_FOUND') guards.quotas.misses.count(searcher.customerId);
    if (error instanceof Refusal && error.stepUp && customer) {
      // Opened after the act's transaction has rolled back, because the challenge must outlive it. The limit on parallel calls
      // applies here even to postings, because challenges of one person wait for each other, and each occupies a connection to
      // the database while it waits.
      const { customerId, sessionId: group } = customer;
      const open = () => guards.openChallenge(customer, error.stepUp!);
      const challenge = await guards.limitPerson(customerId, open, { group });
      error.challenge = z.encode(StepUpChallenge, challenge);
    }
    throw error;
  });

  if (device) sendDeviceCookie(reply, device, guards.isHttps);
  if (endpoint.answer === 'picture') {
    return reply.type('image/webp').header('content-disposition', 'inline').send(answer?.picture);
  }
  if (endpoint.answer === 'events') {
    // The stream's heartbeat keeps the connection open. The timeout closes a connection on which nothing can be delivered.
    reply.raw.setTimeout(liveUpdates.timeoutMs);
    return reply
      .type('text/event-stream; charset=utf-8')
      .headers({ 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' })
      .send(answer?.events);
  }
  if (endpoint.answer === 'file' && answer?.file) {
    const { name, contentType, content } = answer.file;
    return reply
      .type(contentType)
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(content);
  }
  if (endpoint.fourEyes && answer?.approval) {
    const { approval } = answer;
    const state = staffMessages.requestStates[approval.status];
    return sendJson(reply, 202, {
      message:
        approval.status === 'pending' ? staffMessages.asked : fill(staffMessages.askedBefore, { state }),
      data: { approval: z.encode(Approval, approval) },
    });
  }
  return sendJson(reply, endpoint.status ?? 200, {
    message: answer?.message ?? endpoint.message,
    ...(endpoint.data && { data: z.encode(endpoint.data, answer?.data as never) }),
  });
}

function sendJson(
  reply: FastifyReply,
  status: number,
  success: { message: string; data?: unknown },
): FastifyReply {
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ success: true, ...success }));
}

/** Lookups that find nothing and unreadable uploads still count against the quota; other refusals are refunded. */
const countedRefusals = new Set(['NOT_FOUND', 'UNSUPPORTED_TYPE']);

/** Whether a query filters a list. A filtered list takes longer the more transactions a customer has. */
const hasFilter = (query: unknown) => {
  const { search, type, status } = query as { [name: string]: unknown };
  return search !== undefined || type !== undefined || status !== undefined;
};

/**
 * Runs the work of a person within the limits on parallel calls. After a wait, the session is checked again, and the work is
 * skipped if the client has disconnected.
 */
async function limitedByPerson<T>(
  guards: Guards,
  {
    endpoint,
    request,
    reply,
    readsHistory,
  }: { endpoint: Endpoint; request: FastifyRequest; reply: FastifyReply; readsHistory: boolean },
  work: () => Promise<T>,
): Promise<T> {
  const caller = callers.get(request);
  // Postings have their own queue in the ledger, and a customer must always be able to lock out a thief. Administrators' writes
  // are too few to need a limit.
  if (!caller || endpoint.checkedByLedger || endpoint.outsidePersonLimit) return await work();
  if ('admin' in caller && endpoint.method !== 'GET') return await work();
  const { sessionId: group } = 'admin' in caller ? caller.admin : caller.customer;
  let hasWaited = false;
  const admitted = async () => {
    if (hasWaited) {
      if (reply.raw.destroyed) throw new Refusal('BUSY', { waitTime: 1 });
      callers.set(request, await readmit(endpoint, guards, request));
    }
    return await work();
  };
  const done = guards.limitPerson(personOf(request)!, admitted, { group, readsHistory });
  // If there was a free slot, `admitted` has already started and has read `hasWaited` as false.
  hasWaited = true;
  return await done;
}

/** The logged-in customer who makes a call that needs no login; undefined if there is none. */
async function recognize(
  { sessions }: Guards,
  { headers }: FastifyRequest,
): Promise<CustomerSession | undefined> {
  if (headers.authorization === undefined) return undefined;
  try {
    const session = await sessions.find(await sessions.read(headers));
    return 'customer' in session ? session.customer : undefined;
  } catch (error) {
    if (error instanceof Refusal && error.code !== 'BUSY') return undefined;
    throw error;
  }
}

/** The kind of caller. A request that was not admitted counts as a visitor's. */
export function callerKind(request: FastifyRequest): 'customer' | 'admin' | 'visitor' {
  const caller = callers.get(request);
  if (!caller) return 'visitor';
  return 'admin' in caller ? 'admin' : 'customer';
}

/** The id of the person who calls; undefined for a visitor. */
function personOf(request: FastifyRequest): string | undefined {
  const caller = callers.get(request);
  return caller && ('admin' in caller ? caller.admin.adminId : caller.customer.customerId);
}

function customerOf(request: FastifyRequest): NamedCustomer | undefined {
  const caller = callers.get(request);
  return caller && 'customer' in caller ? caller.customer : undefined;
}

/** Returns the session. Refuses a session that may not make this call. */
function admit(
  endpoint: Endpoint,
  { requiresAdminFactor }: Guards,
  session: Session,
  headers: FastifyRequest['headers'],
): Session {
  if (('customer' in session ? 'customer' : 'admin') !== endpoint.access) throw new Refusal('FORBIDDEN');
  if ('admin' in session) {
    if (!endpoint.roles?.includes(session.admin.role)) throw new Refusal('FORBIDDEN');
    if (requiresAdminFactor && !session.admin.hasFactor && !endpoint.whileEnrolling)
      throw new Refusal('FORBIDDEN', { message: factorsMessages.mustEnroll });
    return session;
  }
  if (!session.customer.isApproved && !endpoint.whilePending) throw new Refusal('ACCOUNT_PENDING');
  const mayRepeat = endpoint.idempotent && headers['idempotency-key'] !== undefined;
  if (session.customer.isFrozen && endpoint.notWhileFrozen && !mayRepeat) throw new Refusal('ACCOUNT_FROZEN');
  return session;
}

/** Checks the session again and returns it. Refuses as `admit` does, and if the session has ended. */
async function readmit(endpoint: Endpoint, guards: Guards, { headers }: FastifyRequest): Promise<Session> {
  const { sessions } = guards;
  return admit(endpoint, guards, await sessions.find(await sessions.read(headers)), headers);
}
