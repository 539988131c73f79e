/**
 * What one call of the API is. Each call is declared once as an `Endpoint`; the served route, the typed client with its
 * hooks and the OpenAPI document all derive from that record.
 *
 * A schema's *input* is what travels (dollars, ISO times), its *output* what the code behind the edge works with
 * (cents, `Date`). Requests are decoded, answers are encoded, so an unlisted field cannot leave.
 */
import type * as z from 'zod/mini';
import type { addressQuotas, personQuotas } from './constants.ts';
import type { RefusalCode } from './errors.ts';

type Shape = z.ZodMiniType;

/** Who may call. Required, so that no call is public by accident. */
export type Access = 'none' | 'customer' | 'admin';

export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with `{name}` placeholders, exactly as the specification writes it. */
  readonly path: `/api/v1/${string}`;
  readonly access: Access;
  /**
   * The books ask, with the posting itself, whether the session stands and what the account may do; the handler hands
   * them the session. Only for a customer's calls that post.
   */
  readonly askedByBooks?: true;
  /** A customer who is not approved yet may call it. Default: 403 `ACCOUNT_PENDING`. */
  readonly whilePending?: true;
  /** A frozen customer may not call it: 403 `ACCOUNT_FROZEN`. Default: a frozen customer may. */
  readonly notWhileFrozen?: true;
  /**
   * Not counted in the per-session limit on parallel calls, because customers use it to lock out a thief of their session.
   * Only for calls that are short or have a limit of their own.
   */
  readonly outsideSessionLimit?: true;
  /**
   * Which quota of the caller's IP address a call counts against, in addition to `all`. Required for every call that tries a
   * password or a code, and for every call of a visitor that sends a mail.
   */
  readonly addressQuota?: Exclude<keyof typeof addressQuotas, 'all'>;
  /** Which quota of its person a call counts against. Default: none. */
  readonly quota?: keyof typeof personQuotas;
  /** Its 404 reveals that an account number is unused, and counts against the caller's quota `misses`. */
  readonly findsReceiver?: true;
  readonly params?: Shape;
  readonly query?: Shape;
  readonly body?: Shape;
  /** Images of a multipart form, by field name. With files the body travels as the form's text fields. */
  readonly files?: Readonly<Record<string, { readonly required: boolean; readonly missing?: string }>>;
  /** Honours an `Idempotency-Key` header: one key, one effect, the same answer for ever. */
  readonly idempotent?: true;
  /** Status of a success. Default 200. */
  readonly status?: 201;
  /** Shape of `data`; absent where a success carries none. */
  readonly data?: Shape;
  /** A success is a picture (WebP), or a stream of server-sent events, instead of an envelope. */
  readonly answer?: 'picture' | 'events';
  /** The success envelope's sentence; a handler may give a more exact one. */
  readonly message: string;
  /** Refusals beyond those every call can give (`VALIDATION`, `TOO_MANY`, `BUSY`, …), for the document. */
  readonly refusals?: readonly RefusalCode[];
  /** One line for the document. */
  readonly summary: string;
};

/** A named set of calls: one area's contract. */
export type Api = Readonly<Record<string, Endpoint>>;

/** Declares a call, keeping its exact type. */
export function endpoint<const E extends Endpoint>(declared: E): E {
  return declared;
}

type Output<S> = S extends Shape ? z.output<S> : undefined;
type Input<S> = S extends Shape ? z.input<S> : undefined;

/** What a handler gets of a request, decoded. */
export type Decoded<E extends Endpoint> = {
  params: Output<E['params']>;
  query: Output<E['query']>;
  body: Output<E['body']>;
};

/** What a handler returns: the data behind the edge. */
export type Answer<E extends Endpoint> = Output<E['data']>;

/** The data as the client receives it. */
export type Data<E extends Endpoint> = Input<E['data']>;

type Part<Name extends string, S> = S extends Shape ? { [K in Name]: z.input<S> } : unknown;
type QueryPart<S> = S extends Shape ? { query?: Partial<z.output<S>> } : unknown;
type FilePart<F, Upload> =
  F extends Readonly<Record<string, unknown>> ? { files: { [K in keyof F]?: Upload | undefined } } : unknown;
type KeyPart<E> = E extends { idempotent: true } ? { idempotencyKey: string } : unknown;

/** What a client passes to make the call; `Upload` is the client's own type of a file (`Blob` in a browser). */
export type Call<E extends Endpoint, Upload = never> = Part<'params', E['params']> &
  QueryPart<E['query']> &
  Part<'body', E['body']> &
  FilePart<E['files'], Upload> &
  KeyPart<E>;
