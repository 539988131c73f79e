/**
 * Keeps the bank's files in an S3-compatible store (Amazon's API reference for S3; requests are signed with Signature Version 4
 * by aws4fetch). Uses what such stores have in common: PUT, HEAD, GET with a range, DELETE, copies, lists, multipart uploads,
 * and PUT with `If-None-Match`. Without that header, two processes could make two keys for one person.
 *
 * While the store does not answer, requests fail at once, because a transaction or a customer waits for them. Every few seconds
 * a probe tries again. A store that answers or refuses other requests, or the probe, works: the next request is sent, because
 * only some may fail, such as those for an object on a slow node, for an archived object, or without a right that is missing.
 */
import { createHash } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { Refusal } from '#contract/errors.ts';
import { sleep } from '../base/deadline.ts';
import { type FilesUrl, SettingsError } from '../config.ts';
import type { ObjectStore } from './objectStore.ts';

const timeoutMs = 3_000;
/** The timeout of a request with content, and of the beginning of a stream. */
const fileTimeoutMs = 10_000;
/** The pause before the second attempt of a request. */
const pauseMs = 100;
const retryAfterMs = 5_000;
const busySeconds = 5;
/** S3 requires at least 5 MiB for each part but the last, and allows 10,000 parts: 80 GB with this size. */
const partBytes = 8 * 1024 * 1024;
const abandonedUploadMs = 24 * 60 * 60 * 1000;

export type StoreLog = {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
};

type Request = {
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

/** Opens the store of `FILES_URL`. Nothing is sent before the first use. */
export function openS3Store(
  { endpoint, bucket, prefix, region, accessKeyId, secretAccessKey }: FilesUrl,
  log: StoreLog,
): ObjectStore {
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
    // It refuses the credentials or this use of them, the clock of this machine is wrong, or the bucket is gone. Callers repeat
    // such requests: the operator can remove the cause.
    const isDenied = [401, 403].includes(answer.status) || codeOf(answer) === 'NoSuchBucket';
    const reason = describe(answer);
    note(isDenied ? 'refuses' : 'works', reason);
    return { isDenied, reason };
  }

  const probes = new Map<string, Promise<void>>();
  /**
   * Finds out whether the store is silent, with a small request for a key of its own: what failed may be one object. After a
   * write, the probe writes, because a store that has lost a part of its nodes may still answer reads. Callers share a probe.
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

  /** Sends a request, and once more if the connection broke or the store failed, as stores ask their clients to. */
  async function send(request: Request): Promise<Answer> {
    const isSilent = () => state === 'silent';
    if (isSilent()) {
      // Until `retryAt`, only this probe tries the store.
      if (performance.now() >= retryAt) {
        retryAt = performance.now() + retryAfterMs;
        await probe(request);
      }
      if (isSilent()) throw new Refusal('BUSY', { waitTime: busySeconds });
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
      if (answeredAt < startedAt) await probe(request);
      throw new Refusal('BUSY', {
        waitTime: busySeconds,
        cause: new Error(
          `the file store ${answer instanceof Error ? 'does not answer' : 'fails'}: ${failureOf(answer)}`,
        ),
      });
    }
  }

  const text = async (request: Request) => (await send(request)).bytes.toString();

  async function* listPages(folder: string): AsyncGenerator<string> {
    let next: string | undefined;
    do {
      const page = await text({
        method: 'GET',
        query: {
          'list-type': '2',
          prefix: prefix + folder,
          'encoding-type': 'url',
          ...(next !== undefined && { 'continuation-token': next }),
        },
      });
      yield page;
      next = textOf(page, 'NextContinuationToken');
    } while (next !== undefined);
  }

  const listUploads = async (folder: string): Promise<string[]> => {
    const query = { uploads: '', prefix: prefix + folder, 'encoding-type': 'url' };
    return elementsOf(await text({ method: 'GET', query }), 'Upload');
  };

  /** Aborts uploads that a killed process began. Their parts cost money, and no list of files shows them. */
  async function abortAbandoned(folder: string): Promise<void> {
    for (const upload of await listUploads(folder)) {
      if (Date.now() - Date.parse(textOf(upload, 'Initiated')!) < abandonedUploadMs) continue;
      const key = decodeKey(textOf(upload, 'Key')!).slice(prefix.length);
      const uploadId = textOf(upload, 'UploadId')!;
      await send({ method: 'DELETE', key, query: { uploadId }, accepts: [404] });
    }
  }

  const put: ObjectStore['put'] = async (key, bytes) => {
    await send({ method: 'PUT', key, body: Uint8Array.from(bytes) });
  };

  const create: ObjectStore['create'] = async (key, bytes) => {
    const { status } = await send({
      method: 'PUT',
      key,
      body: Uint8Array.from(bytes),
      headers: { 'if-none-match': '*' },
      // 409: another process creates it at this moment.
      accepts: [409, 412],
    });
    return status === 200;
  };

  async function remove(key: string): Promise<void> {
    await send({ method: 'DELETE', key, accepts: [404] });
  }

  const hasFolder: ObjectStore['hasFolder'] = async folder => {
    const query = { 'list-type': '2', prefix: prefix + folder, 'max-keys': '1' };
    return elementsOf(await text({ method: 'GET', query }), 'Contents').length > 0;
  };

  return {
    put,
    create,
    delete: remove,
    hasFolder,

    async write(key, content) {
      let uploadId: string | undefined;
      const etags: string[] = [];
      let [pending, size]: [Uint8Array[], number] = [[], 0];
      const sendPart = async () => {
        uploadId ??= textOf(await text({ method: 'POST', key, query: { uploads: '' } }), 'UploadId')!;
        const response = await send({
          method: 'PUT',
          key,
          query: { partNumber: String(etags.length + 1), uploadId },
          body: Uint8Array.from(Buffer.concat(pending)),
        });
        etags.push(response.headers.get('etag')!);
        [pending, size] = [[], 0];
      };
      try {
        for await (const piece of content) {
          pending.push(Uint8Array.from(piece));
          size += piece.length;
          if (size >= partBytes) await sendPart();
        }
        if (uploadId === undefined) return await put(key, Buffer.concat(pending));
        if (size > 0) await sendPart();
        const parts = etags.map(
          (etag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
        );
        const joined = await text({
          method: 'POST',
          key,
          query: { uploadId },
          body: Uint8Array.from(
            Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`),
          ),
        });
        refuseLateError(joined);
      } catch (error) {
        if (uploadId !== undefined)
          await send({ method: 'DELETE', key, query: { uploadId }, accepts: [404] }).catch(() => {});
        throw error;
      }
    },

    async get(key) {
      const { status, bytes } = await send({ method: 'GET', key, accepts: [404] });
      return status === 404 ? undefined : bytes;
    },

    async open(key) {
      const head = await send({ method: 'HEAD', key, accepts: [404] });
      if (head.status === 404) return undefined;
      const etag = head.headers.get('etag')!;
      return {
        size: Number(head.headers.get('content-length')),
        async *read(start, end) {
          const range = `bytes=${start}-${end - 1}`;
          // If the file is replaced between two reads, its old and new bytes must not be mixed.
          const headers = { range, 'if-match': etag };
          yield* (await send({ method: 'GET', key, headers, isStreamed: true })).stream!;
        },
        close: async () => {},
      };
    },

    async move(from, to) {
      const source = `/${bucket}/${encodeKey(prefix + from)}`;
      const headers = { 'x-amz-copy-source': source, 'x-amz-metadata-directive': 'REPLACE' };
      const { status, bytes } = await send({ method: 'PUT', key: to, headers, accepts: [404] });
      if (status === 404) return;
      refuseLateError(bytes.toString());
      await remove(from);
    },

    async *list(folder) {
      await abortAbandoned(folder);
      for await (const page of listPages(folder))
        for (const entry of elementsOf(page, 'Contents')) {
          const key = decodeKey(textOf(entry, 'Key')!).slice(prefix.length);
          // A folder is an empty file whose name ends with a slash, as the consoles of such stores make it.
          if (!key.endsWith('/')) yield { key, storedAt: new Date(textOf(entry, 'LastModified')!) };
        }
    },

    createFolder: folder => put(folder, new Uint8Array()),

    answers: () => state === 'works',

    async refuseUnfit() {
      const refuse = (why: string) => new SettingsError(`The store of FILES_URL cannot be used: ${why}`);
      try {
        const versioning = await text({ method: 'GET', query: { versioning: '' } });
        // A bucket whose versioning was suspended keeps its old versions. A bucket that never had versioning answers no status.
        if (textOf(versioning, 'Status') !== undefined)
          throw refuse(
            'its bucket has or had versioning and keeps old versions, so the deleted key of an erased customer could be read again. Use a bucket that never had versioning.',
          );
        await create(probeKey, new Uint8Array());
        if (await create(probeKey, new Uint8Array()))
          throw refuse('it ignores If-None-Match, so two servers could overwrite each other’s keys.');
        // Both throw if the credentials do not allow these lists.
        await hasFolder('keys/');
        await listUploads('exports/');
      } catch (error) {
        const cause = error instanceof Refusal ? error.cause : error;
        throw cause instanceof StoreRefused ? refuse(cause.message) : error;
      }
    },
  };
}

/** Written twice at each start, to see whether the store refuses the second time. Also asked for by probes. */
const probeKey = 'conditional-write';

class NoAnswer extends Error {}

/** The store answered, but did not do what was asked. */
class StoreRefused extends Error {}

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
  // No answer of S3 with status 2xx is a page: a proxy answered in its place.
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

/** A copy, and the joining of parts, may fail after the status was sent. */
function refuseLateError(xml: string): void {
  if (xml.includes('<Error>')) throw new StoreRefused(`The file store failed: ${textOf(xml, 'Code')}`);
}

const encodeKey = (key: string) => key.split('/').map(encodeURIComponent).join('/');
const decodeKey = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));

/** The contents of every element with this name. S3's answers do not nest elements of one name. */
const elementsOf = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(match => match[1]!);

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text of the first element with this name. */
const textOf = (xml: string, name: string): string | undefined =>
  elementsOf(xml, name)[0]?.replaceAll(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity]!);
