/**
 * An S3-compatible store for tests, in memory, behind real HTTP. It refuses every request whose Signature Version 4 differs
 * from the one that it computes itself (Amazon's "Signature Calculations for the Authorization Header"). Like real stores, it
 * also refuses parts that are too small, a body whose hash differs from the signed hash, and a request to create a key that
 * exists. It lists two keys per page.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

const [keyId, secret, region, bucket] = ['TESTKEYID', 'a secret for the store', 'eu-test-1', 'bank-files'];
const pageSize = 2;
const minPartBytes = 5 * 1024 * 1024;
const maxSkewMs = 15 * 60 * 1000;
const versioning: Partial<Record<S3Server['state'], string>> = {
  versioned: '<Status>Enabled</Status>',
  suspended: '<Status>Suspended</Status>',
};

type Stored = { bytes: Buffer; storedAt: Date };
type Upload = { key: string; parts: Map<number, Buffer>; startedAt: Date };

export type S3Server = {
  /** The settings of a bank that uses this store. */
  settings: { FILES_URL: string; FILES_ACCESS_KEY_ID: string; FILES_SECRET_ACCESS_KEY: string };
  /** The stored objects, by key. */
  objects: Map<string, Stored>;
  uploads: Map<string, Upload>;
  /**
   * `down`: answers 503. `closed`: answers 403. `gone`: the bucket does not exist. `unlisted`: refuses to list. `no-uploads`:
   * refuses to list uploads. `hangs`: never answers. `careless`: ignores If-None-Match. `versioned`, `suspended`: reports this
   * versioning of the bucket, but keeps no old versions. `unversioned`: does not implement requests for the versioning. `full`:
   * answers 507 to each PUT that is not a part of an upload. `page`: answers every request with an HTML page, as a proxy can.
   */
  state:
    | 'up'
    | 'down'
    | 'closed'
    | 'gone'
    | 'unlisted'
    | 'no-uploads'
    | 'hangs'
    | 'careless'
    | 'versioned'
    | 'suspended'
    | 'unversioned'
    | 'full'
    | 'page';
  /** Keys whose objects are in an archive class: they cannot be read. */
  archived: Set<string>;
  /** Keys whose requests are never answered. */
  hanging: Set<string>;
  /** How many of the next requests are answered with `failure`. */
  failures: number;
  failure: { status: number; code: string };
  /** How many requests were received. */
  requests: number;
  close(): Promise<void>;
};

class Refused extends Error {
  readonly status: number;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
  }
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest('hex');
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
const toXml = (text: string) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');

/** Throws unless the owner of the secret signed this request with this body a short time ago. */
function checkSignature(request: IncomingMessage, url: URL, body: Buffer): void {
  const { headers } = request;
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (!match) throw new Refused(403, 'AccessDenied');
  const [, id, day, where, signed, signature] = match as unknown as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  if (id !== keyId) throw new Refused(403, 'InvalidAccessKeyId');
  if (where !== region) throw new Refused(400, 'AuthorizationHeaderMalformed');
  const time = String(headers['x-amz-date']);
  const at = Date.parse(time.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!time.startsWith(day) || !(Math.abs(Date.now() - at) < maxSkewMs))
    throw new Refused(403, 'RequestTimeTooSkewed');
  const names = signed.split(';');
  const needed = ['host', ...Object.keys(headers).filter(name => name.startsWith('x-amz-'))];
  if (needed.some(name => !names.includes(name))) throw new Refused(403, 'AccessDenied');
  const hash = String(headers['x-amz-content-sha256']);
  if (hash !== sha256(body)) throw new Refused(400, 'XAmzContentSHA256Mismatch');
  const path = url.pathname
    .split('/')
    .map(part => encode(decodeURIComponent(part)))
    .join('/');
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort();
  const canonical = [
    request.method,
    path,
    query.join('&'),
    ...names.map(name => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
    '',
    signed,
    hash,
  ].join('\n');
  const scope = `${day}/${where}/s3/aws4_request`;
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), where), 's3'), 'aws4_request');
  const expected = hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`).toString('hex');
  if (signature !== expected) throw new Refused(403, 'SignatureDoesNotMatch');
}

export async function startS3Server(): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map();
  const uploads: S3Server['uploads'] = new Map();
  const server = createServer(async (request, response) => {
    store.requests++;
    if (store.state === 'hangs') return;
    const url = new URL(request.url!, 'http://store');
    if (store.hanging.has(decodeURIComponent(url.pathname).slice(`/${bucket}/`.length))) return;
    if (store.state === 'page') {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<p>Please log in</p>');
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    try {
      if (store.failures-- > 0) throw new Refused(store.failure.status, store.failure.code);
      if (store.state === 'down') throw new Refused(503, 'SlowDown');
      if (store.state === 'closed') throw new Refused(403, 'AccessDenied');
      if (store.state === 'gone') throw new Refused(404, 'NoSuchBucket');
      const body = Buffer.concat(chunks);
      checkSignature(request, url, body);
      const { status = 200, headers = {}, content = '' } = answer(request, url, body);
      response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : content);
    } catch (error) {
      const { status, message } = error instanceof Refused ? error : new Refused(500, String(error));
      response.writeHead(status).end(`<Error><Code>${toXml(message)}</Code></Error>`);
    }
  });

  type Answer = { status?: number; headers?: Record<string, string | number>; content?: string | Buffer };

  const etagOf = ({ bytes }: Stored) => `"${createHash('md5').update(bytes).digest('hex')}"`;

  function list(query: URLSearchParams): Answer {
    const after = query.get('continuation-token') ?? '';
    const keys = [...objects.keys()]
      .filter(key => key.startsWith(query.get('prefix') ?? '') && key > after)
      .sort();
    const page = keys.slice(0, Math.min(pageSize, Number(query.get('max-keys') ?? pageSize)));
    const contents = page.map(key => {
      const stored = objects.get(key)!;
      return `<Contents><Key>${encode(key)}</Key><LastModified>${stored.storedAt.toISOString()}</LastModified><ETag>${toXml(etagOf(stored))}</ETag><Size>${stored.bytes.length}</Size></Contents>`;
    });
    const next =
      keys.length > page.length
        ? `<NextContinuationToken>${toXml(page.at(-1)!)}</NextContinuationToken>`
        : '';
    return { content: `<ListBucketResult>${contents.join('')}${next}</ListBucketResult>` };
  }

  function upload(method: string, key: string, query: URLSearchParams, body: Buffer): Answer {
    const id = query.get('uploadId');
    if (id === null) {
      const made = randomUUID();
      uploads.set(made, { key, parts: new Map(), startedAt: new Date() });
      return {
        content: `<InitiateMultipartUploadResult><UploadId>${made}</UploadId></InitiateMultipartUploadResult>`,
      };
    }
    const found = uploads.get(id);
    if (found?.key !== key) throw new Refused(404, 'NoSuchUpload');
    if (method === 'PUT') {
      found.parts.set(Number(query.get('partNumber')), body);
      return { headers: { etag: etagOf({ bytes: body, storedAt: new Date() }) } };
    }
    uploads.delete(id);
    if (method === 'DELETE') return { status: 204 };
    const parts = [...found.parts.values()];
    if (parts.slice(0, -1).some(part => part.length < minPartBytes)) throw new Refused(400, 'EntityTooSmall');
    const named = [
      ...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>"([0-9a-f]+)"<\/ETag>/g),
    ];
    if (named.length !== parts.length) throw new Refused(400, 'InvalidPart');
    objects.set(key, { bytes: Buffer.concat(parts), storedAt: new Date() });
    return { content: '<CompleteMultipartUploadResult/>' };
  }

  function answer({ method = '', headers }: IncomingMessage, url: URL, body: Buffer): Answer {
    const [, inBucket, ...rest] = decodeURIComponent(url.pathname).split('/');
    const key = rest.join('/');
    const query = url.searchParams;
    if (inBucket !== bucket) throw new Refused(404, 'NoSuchBucket');
    if (key === '') {
      if (query.has('versioning') && store.state === 'unversioned') throw new Refused(501, 'NotImplemented');
      if (query.has('versioning'))
        return {
          content: `<VersioningConfiguration>${versioning[store.state] ?? ''}</VersioningConfiguration>`,
        };
      if (store.state === 'unlisted') throw new Refused(403, 'AccessDenied');
      if (query.get('list-type') === '2') return list(query);
      if (!query.has('uploads')) throw new Refused(400, 'InvalidRequest');
      if (store.state === 'no-uploads') throw new Refused(403, 'AccessDenied');
      const begun = [...uploads].filter(([, { key }]) => key.startsWith(query.get('prefix') ?? ''));
      return {
        content: `<ListMultipartUploadsResult>${begun.map(([id, one]) => `<Upload><Key>${encode(one.key)}</Key><UploadId>${id}</UploadId><Initiated>${one.startedAt.toISOString()}</Initiated></Upload>`).join('')}</ListMultipartUploadsResult>`,
      };
    }
    if (query.has('uploads') || query.has('uploadId')) return upload(method, key, query, body);
    const stored = objects.get(key);
    if (method === 'DELETE') {
      objects.delete(key);
      return { status: 204 };
    }
    if (method === 'PUT') {
      if (store.state === 'full') throw new Refused(507, 'InsufficientStorage');
      const source = headers['x-amz-copy-source'];
      if (source !== undefined) {
        const copied = objects.get(decodeURIComponent(String(source)).replace(`/${bucket}/`, ''));
        if (!copied) throw new Refused(404, 'NoSuchKey');
        objects.set(key, { bytes: copied.bytes, storedAt: new Date() });
        return { content: '<CopyObjectResult/>' };
      }
      if (headers['if-none-match'] === '*' && stored && store.state !== 'careless')
        throw new Refused(412, 'PreconditionFailed');
      objects.set(key, { bytes: body, storedAt: new Date() });
      return { headers: { etag: etagOf(objects.get(key)!) } };
    }
    if (!stored) throw new Refused(404, 'NoSuchKey');
    if (method === 'GET' && store.archived.has(key)) throw new Refused(403, 'InvalidObjectState');
    const etag = etagOf(stored);
    if (headers['if-match'] !== undefined && headers['if-match'] !== etag)
      throw new Refused(412, 'PreconditionFailed');
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    if (from === undefined)
      return { headers: { etag, 'content-length': stored.bytes.length }, content: stored.bytes };
    return { status: 206, headers: { etag }, content: stored.bytes.subarray(Number(from), Number(to) + 1) };
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store: S3Server = {
    settings: {
      FILES_URL: `s3://${bucket}/of/larkspur?endpoint=${encodeURIComponent(endpoint)}&region=${region}`,
      FILES_ACCESS_KEY_ID: keyId,
      FILES_SECRET_ACCESS_KEY: secret,
    },
    objects,
    uploads,
    state: 'up',
    archived: new Set(),
    hanging: new Set(),
    failures: 0,
    failure: { status: 500, code: 'InternalError' },
    requests: 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return store;
}
