/**
 * Keeps the bank's files in an S3-compatible store, as Amazon's API reference describes it; aws4fetch signs the requests
 * (Signature Version 4). Uses PUT, HEAD, GET with a range and `If-Match`, DELETE, copies, lists, multipart uploads, the
 * versioning of the bucket, and PUT with `If-None-Match`: if a store ignored that header, two processes could make two keys for
 * one person.
 */
import { Refusal } from '#contract/errors.ts';
import { type FilesUrl, SettingsError } from '../config.ts';
import type { ObjectStore } from './objectStore.ts';
import {
  elementsOf,
  encodeKey,
  openS3Requests,
  probeKey,
  type Request,
  type StoreLog,
  StoreRefused,
  textOf,
} from './s3Requests.ts';

/** S3 requires at least 5 MiB for each part but the last, and allows 10,000 parts: 80 GB with this size. */
const partBytes = 8 * 1024 * 1024;
const abandonedUploadMs = 24 * 60 * 60 * 1000;

/** Opens the store of `FILES_URL`. Nothing is sent before the first use. */
export function openS3Store(url: FilesUrl, log: StoreLog): ObjectStore {
  const { bucket, prefix } = url;
  const { send, works } = openS3Requests(url, log);
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
          const { stream } = await send({ method: 'GET', key, headers, isStreamed: true });
          try {
            yield* stream!;
          } catch (error) {
            throw new Refusal('BUSY', { waitTime: 1, cause: error });
          }
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

    answers: works,

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

/** Throws if the answer reports an error: a copy, or the joining of parts, may fail after the status was sent. */
function refuseLateError(xml: string): void {
  if (xml.includes('<Error>')) throw new StoreRefused(`The file store failed: ${textOf(xml, 'Code')}`);
}

const decodeKey = (text: string) => decodeURIComponent(text.replaceAll('+', ' '));
