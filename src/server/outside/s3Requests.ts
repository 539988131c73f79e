/**
 * Sends requests to an S3-compatible store, signed with Signature Version 4 by aws4fetch (Amazon's API reference for S3).
 *
 * While the store does not answer, requests fail at once, because a transaction or a customer waits for them. Every few seconds
 * one request and a probe are sent. A store counts as silent only if the probe gets no answer either, because perhaps only some
 * requests fail, such as those for an object on a slow node. After a refusal, the next request is still sent: the cause may be
 * one archived object or one missing right.
 */
import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { Refusal } from '#contract/errors.ts';
import { sleep } from '../base/deadline.ts';
import type { FilesUrl } from '../config.ts';

const timeoutMs = 3_000;
/** The timeout of a request with content, and of the beginning of a stream. */
const fileTimeoutMs = 10_000;
/** The pause before the second attempt of a request. */
const pauseMs = 100;
const retryAfterMs = 5_000;
const busySeconds = 5;

export type StoreLog = {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
};

export type Request = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  key?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
  /** Statuses of 300 or more that the caller understands. */
  accepts?: number[];
  isStreamed?: boolean;
};

type Answer = {
  status: number;
  headers: Headers;
  /** Empty for a stream. */
  bytes: Buffer;
  stream: ReadableStream<Uint8Array> | null;
};

export type S3Requests = {
  /** Sends a request, and once more if the connection broke or the store failed, as stores ask their clients to. */
  send: (request: Request) => Promise<Answer>;
  /** False while the store is silent, and while its last answer denied access. */
  works: () => boolean;
};

/** Opens the requests to the store of `FILES_URL`. Nothing is sent before the first use. */
export function openS3Requests(
  { endpoint, bucket, prefix, region, accessKeyId, secretAccessKey }: FilesUrl,
  log: StoreLog,
): S3Requests {
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: 0 });
  let state: 'works' | 'refuses' | 'silent' = 'works';
  let retryAt = 0;
  /** When a request last got an answer that is not a failure of the store. */
  let answeredAt = Number.NEGATIVE_INFINITY;

  function note(now: typeof state, reason?: string): void {
    if (now === 'silent') retryAt = performance.now() + retryAfterMs;
    if (now === state) return;
    state = now;
    if (now === 'works') log.warn({}, 'the file store works again');
    else
      log.error(
        { reason },
        now === 'silent' ? 'the file store does not answer' : 'the file store refuses a request',
      );
  }

  /** Sends a request once. Its answer is read completely, unless it is to be streamed. Throws if there is no answer. */
  async function sendOnce({
    method,
    key,
    query = {},
    headers = {},
    body,
    isStreamed,
  }: Request): Promise<Answer> {
    const path = key === undefined ? '' : `/${encodeKey(prefix + key)}`;
    const search = new URLSearchParams(query).toString();
    const limitMs = body || isStreamed ? fileTimeoutMs : timeoutMs;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new NoAnswer(`no answer within ${limitMs} ms`)), limitMs);
    try {
      const sha256 = createHash('sha256')
        .update(body ?? '')
        .digest('hex');
      const signed = await client.sign(`${endpoint}/${bucket}${path}${search && `?${search}`}`, {
        method,
        headers: { ...headers, 'x-amz-content-sha256': sha256 },
        ...(body && { body }),
      });
      const response = await fetch(signed, { signal: late.signal });
      const isRead = !isStreamed || !response.ok;
      const bytes = isRead ? Buffer.from(await response.arrayBuffer()) : Buffer.alloc(0);
      return { status: response.status, headers: response.headers, bytes, stream: response.body };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Notes an answer that is not a failure of the store. */
  function noteAnswer(answer: Answer): { isDenied: boolean; reason: string } {
    answeredAt = performance.now();
    // Denied: the store refuses the credentials or this use of them, the clock of this machine is wrong, or the bucket is gone.
    // Callers repeat such requests, because the operator can remove the cause.
    const isDenied = [401, 403].includes(answer.status) || codeOf(answer) === 'NoSuchBucket';
    const reason = describe(answer);
    note(isDenied ? 'refuses' : 'works', reason);
    return { isDenied, reason };
  }

  const probes = new Map<string, Promise<void>>();
  /**
   * Finds out whether the store is silent, with a small request for `probeKey`: perhaps only requests for one object fail. If a
   * write failed, the probe writes, because a store that has lost a part of its nodes may still answer reads. Callers share a
   * probe.
   */
  function probe({ method }: Request): Promise<void> {
    const kind = method === 'GET' || method === 'HEAD' ? 'GET' : 'PUT';
    const send = async () => {
      const startedAt = performance.now();
      const answer = await sendOnce({ method: kind, key: probeKey }).catch((error: Error) => error);
      if (isAnswer(answer)) noteAnswer(answer);
      else if (answeredAt < startedAt) note('silent', failureOf(answer));
    };
    const pending = probes.get(kind) ?? send().finally(() => probes.delete(kind));
    probes.set(kind, pending);
    return pending;
  }

  async function send(request: Request): Promise<Answer> {
    const isSilent = () => state === 'silent';
    if (isSilent()) {
      if (performance.now() < retryAt) throw new Refusal('BUSY', { waitTime: busySeconds });
      // Until the new `retryAt`, only this request and a probe try the store. Either alone may be for an object that hangs.
      retryAt = performance.now() + retryAfterMs;
      void probe(request);
    }
    for (let isFirst = true; ; isFirst = false) {
      const startedAt = performance.now();
      const answer = await sendOnce(request).catch((error: Error) => error);
      if (isAnswer(answer)) {
        const { isDenied, reason } = noteAnswer(answer);
        if (answer.status < 300 || (!isDenied && request.accepts?.includes(answer.status))) return answer;
        const { method, key = bucket } = request;
        const cause = new StoreRefused(`The file store refused ${method} ${key}: ${reason}`);
        const isBusy = isDenied || answer.status === fullStatus;
        throw isBusy ? new Refusal('BUSY', { waitTime: busySeconds, cause }) : cause;
      }
      if (isFirst && !(answer instanceof NoAnswer)) {
        await sleep(pauseMs);
        continue;
      }
      if (answeredAt < startedAt && !isSilent()) await probe(request);
      throw new Refusal('BUSY', {
        waitTime: busySeconds,
        cause: new Error(
          `the file store ${answer instanceof Error ? 'does not answer' : 'fails'}: ${failureOf(answer)}`,
        ),
      });
    }
  }

  return { send, works: () => state === 'works' };
}

/** The key that is written twice at each start, to see whether the store refuses the second write. Probes use it too. */
export const probeKey = 'conditional-write';

class NoAnswer extends Error {}

/** The store answered, but did not do what was asked. */
export class StoreRefused extends Error {}

const codeOf = ({ bytes }: Answer): string => textOf(bytes.toString(), 'Code') ?? '';
const isHtml = ({ headers }: Answer): boolean =>
  headers.get('content-type')?.startsWith('text/html') === true;
const describe = (answer: Answer): string =>
  [answer.status, codeOf(answer), isHtml(answer) && 'HTML'].filter(Boolean).join(' ');

const notImplementedStatus = 501;
const fullStatus = 507;
/** With status 400: the body did not arrive, or not as it was sent. */
const lostBodyCodes = ['RequestTimeout', 'IncompleteBody', 'BadDigest'];

/** Whether the store could not do what was asked, and may do it later. */
function isStoreFailure(answer: Answer): boolean {
  const { status } = answer;
  // S3 never sends an HTML page with a status of 2xx. If there is one, a proxy answered in its place.
  if (status < 300) return isHtml(answer);
  if (status === 400) return lostBodyCodes.includes(codeOf(answer));
  return status === 429 || (status >= 500 && status !== notImplementedStatus && status !== fullStatus);
}

/** Whether the store did what was asked, or refused to. */
const isAnswer = (answer: Answer | Error): answer is Answer =>
  !(answer instanceof Error) && !isStoreFailure(answer);

function failureOf(answer: Answer | Error): string {
  if (!(answer instanceof Error)) return describe(answer);
  // `fetch` hides why a connection failed in the cause of its error.
  return answer.cause instanceof Error ? `${answer.message}: ${answer.cause.message}` : answer.message;
}

export const encodeKey = (key: string) => key.split('/').map(encodeURIComponent).join('/');
/** The contents of every element with this name. S3's answers do not nest elements of one name. */
export const elementsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(match => match[1]!);

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of the first element with this name. */
export const textOf = (xml: string, name: string): string | undefined =>
  elementsOf(xml, name)[0]?.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity]!);
