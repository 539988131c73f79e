/**
 * The declaration of an API call. Each call is declared once as an `Endpoint`. The route, the typed client with its hooks, and
 * the OpenAPI document all derive from this record. A schema's *input* type is the wire format (dollars, ISO times), its
 * *output* type is what the code uses (cents, `Date`). Requests are decoded and responses are encoded, so a field that the
 * schema does not list cannot leave the server.
 */
import type * as z from 'zod/mini';
import type { addressQuotas, personQuotas } from './constants.ts';
import type { RefusalCode } from './errors.ts';
import type { Approval, DecodedApproval } from './fourEyes.ts';
import type { Role } from './roles.ts';

type Shape = z.ZodMiniType;

export type Access = Endpoint['access'];

/**
 * Who can make the call. Required, so that no call is public by accident. A call of administrators also names the roles that
 * may make it; every other role gets 403 `FORBIDDEN`.
 */
type Callers =
  | { readonly access: 'none' | 'customer'; readonly roles?: never }
  | { readonly access: 'admin'; readonly roles: readonly Role[] };

export type Endpoint = Callers & {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with `{name}` placeholders. The specification fixes the paths that it names. */
  readonly path: `/api/v1/${string}`;
  /**
   * The ledger checks the session and the account's state when it posts, so the handler passes it the session. Only for
   * customer calls that post.
   */
  readonly checkedByLedger?: true;
  /** A customer who is not approved yet can call it. Default: 403 `ACCOUNT_PENDING`. */
  readonly whilePending?: true;
  /** An administrator can call it without the second factor that the bank requires. Default: 403 `FORBIDDEN`. */
  readonly whileEnrolling?: true;
  /**
   * A frozen customer cannot call it: 403 `ACCOUNT_FROZEN`. Default: a frozen customer can. A request with an idempotency key
   * is let through, because it may repeat one from before the freeze. If the key is new, the code that looks it up refuses.
   */
  readonly notWhileFrozen?: true;
  /**
   * Not counted in the limit on a person's parallel calls, because customers use it to lock out a thief of their session, or to
   * stay logged in. Only for calls that are short or have a limit of their own.
   */
  readonly outsidePersonLimit?: true;
  /**
   * The call takes longer the more transactions a customer has. A person's calls of this kind run one at a time, because
   * several in parallel would leave no processor time for others. `'with a filter'`: only if the query has a search, a type or
   * a status.
   */
  readonly readsHistory?: true | 'with a filter';
  /**
   * The quota of the caller's IP address that a call counts against, in addition to `all`. Required for every call that checks
   * a password or a code, and for every call without login.
   */
  readonly addressQuota?: Exclude<keyof typeof addressQuotas, 'all'>;
  /** The quota of the calling customer or administrator that the call counts against. Default: none. */
  readonly quota?: keyof typeof personQuotas;
  /** The call's 404 reveals that an account number is unused, and counts against the caller's quota `misses`. */
  readonly findsReceiver?: true;
  /**
   * Recognizes the browser by its device cookie and sends the cookie with every success. For logins, and for other calls that
   * check or send a password or a code.
   */
  readonly usesDeviceCookie?: true;
  /** If the request has a customer's live session, the handler gets that customer. Only for calls that need no login. */
  readonly recognizesCustomer?: true;
  readonly params?: Shape;
  readonly query?: Shape;
  readonly body?: Shape;
  /** Images of a multipart form, by field name. With files, the body is sent as the form's text fields. */
  readonly files?: Readonly<Record<string, { readonly required: boolean; readonly missing?: string }>>;
  /** Honors an `Idempotency-Key` header: a request repeated with the same key takes effect once and gets the first result. */
  readonly idempotent?: true;
  /**
   * May need the approval of a second operator or owner. Then it changes nothing yet and answers 202 with `data.approval`, the
   * request to approve.
   */
  readonly fourEyes?: true;
  /** May answer 403 `STEP_UP_REQUIRED` with a challenge, and honors the proof in a `Step-Up` header. */
  readonly stepUp?: true;
  /** Status of a success. Default 200. */
  readonly status?: 201 | 202;
  /** Schema of `data`; absent if a success has no data. */
  readonly data?: Shape;
  /** The success response is a picture (WebP), a stream of server-sent events or a file to save, instead of an envelope. */
  readonly answer?: 'picture' | 'events' | 'file';
  /** The `message` of the success envelope; a handler can return a more specific one. */
  readonly message: string;
  /** Refusals in addition to those that every call has (`VALIDATION`, `TOO_MANY`, `BUSY`, …), for the OpenAPI document. */
  readonly refusals?: readonly RefusalCode[];
  /** One line for the OpenAPI document. */
  readonly summary: string;
};

/** The calls of one area by name. */
export type Api = Readonly<Record<string, Endpoint>>;

/** Declares a call and keeps its exact type. */
export function endpoint<const E extends Endpoint>(declared: E): E {
  return declared;
}

type Output<S> = S extends Shape ? z.output<S> : undefined;
type Input<S> = S extends Shape ? z.input<S> : undefined;

/** The decoded request that a handler receives. */
export type Decoded<E extends Endpoint> = {
  params: Output<E['params']>;
  query: Output<E['query']>;
  body: Output<E['body']>;
};

/** The data that a handler returns, before encoding. */
export type Answer<E extends Endpoint> = Output<E['data']>;

/** The request for a second person's approval that a call returns instead of its data. */
export type Asked = { approval: DecodedApproval };

/** The data that a client receives, in the wire format. */
export type Data<E extends Endpoint> = E extends { fourEyes: true }
  ? Input<E['data']> | { approval: Approval }
  : Input<E['data']>;

type Part<Name extends string, S> = S extends Shape ? { [K in Name]: z.input<S> } : unknown;
type QueryPart<S> = S extends Shape ? { query?: Partial<z.output<S>> } : unknown;
type FilePart<F, Upload> =
  F extends Readonly<Record<string, unknown>> ? { files: { [K in keyof F]?: Upload | undefined } } : unknown;
type KeyPart<E> = E extends { idempotent: true } ? { idempotencyKey: string } : unknown;
type StepUpPart<E> = E extends { stepUp: true } ? { stepUpProof?: string | undefined } : unknown;

/** What a client passes to make the call; `Upload` is the client's file type (`Blob` in a browser). */
export type Call<E extends Endpoint, Upload = never> = Part<'params', E['params']> &
  QueryPart<E['query']> &
  Part<'body', E['body']> &
  FilePart<E['files'], Upload> &
  KeyPart<E> &
  StepUpPart<E>;
