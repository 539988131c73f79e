/**
 * Stores copies of customers' data, encrypted with AES-256-GCM (NIST SP 800-38D). Each file has a key of its own, which derives
 * from the bank's secret, the file's id and the salt in its row. Files are written and read as streams. A file begins with the
 * id of the secret. If that secret is no longer given, the file counts as missing, because the customer can have another copy
 * made.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { algorithm, nonceBytes, tagBytes } from '../base/encryption.ts';
import { deriveKey, type Key, keyIdBytes, versionOf } from '../base/keys.ts';
import type { ObjectStore, OpenFile } from './objectStore.ts';

/** `id`: a UUID. `salt`: from the file's row in the database. */
type FileKey = { id: string; salt: Uint8Array };

export type ExportFiles = {
  /** Writes a file durably, replacing one with the same id. Returns the number of bytes before encryption. */
  write(key: FileKey, content: AsyncIterable<Uint8Array>): Promise<number>;
  /** Undefined if the file does not exist or its secret is not given. The stream fails at its end if the file was changed. */
  read(key: FileKey): Promise<Readable | undefined>;
  remove(id: string): Promise<void>;
  /** The ids of all files. Incomplete files of killed processes are removed. */
  list(): Promise<string[]>;
};

const [folder, suffix] = ['exports/', '.zip.enc'] as const;
const namePattern = /^exports\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.zip\.enc$/;

export function openExportFiles(store: ObjectStore, secret: Key): ExportFiles {
  const storeKeyOf = (id: string) => folder + id + suffix;
  const keyOf = ({ id, salt }: FileKey): Key =>
    deriveKey(secret, `${id} ${Buffer.from(salt).toString('hex')}`);

  return {
    async write(key, content) {
      const nonce = randomBytes(nonceBytes);
      const [current] = keyOf(key);
      const cipher = createCipheriv(algorithm, current.bytes, nonce, { authTagLength: tagBytes });
      let size = 0;
      async function* encrypted(): AsyncGenerator<Buffer> {
        yield Buffer.concat([Buffer.from(current.id, 'hex'), nonce]);
        for await (const piece of content) {
          size += piece.length;
          yield cipher.update(piece);
        }
        cipher.final();
        yield cipher.getAuthTag();
      }
      await store.write(storeKeyOf(key.id), encrypted());
      return size;
    },

    async read(key) {
      const file = await store.open(storeKeyOf(key.id));
      if (!file) return undefined;
      try {
        const bodyEnd = file.size - tagBytes;
        const head = await readAll(file.read(0, keyIdBytes + nonceBytes));
        const tag = await readAll(file.read(bodyEnd, file.size));
        const version = versionOf(keyOf(key), head.toString('hex', 0, keyIdBytes));
        if (!version) {
          await file.close();
          return undefined;
        }
        const decipher = createDecipheriv(algorithm, version, head.subarray(keyIdBytes), {
          authTagLength: tagBytes,
        });
        decipher.setAuthTag(tag);
        const content = Readable.from(decrypted(file, head.length, bodyEnd, decipher), { objectMode: false });
        // Also closes the file if nobody ever reads: a generator that never started does not run its `finally`.
        content.once('close', () => void file.close().catch(() => {}));
        return content;
      } catch (error) {
        await file.close();
        throw error;
      }
    },

    remove: id => store.delete(storeKeyOf(id)),

    async list() {
      const ids: string[] = [];
      for await (const { key } of store.list(folder)) ids.push(...(namePattern.exec(key)?.slice(1) ?? []));
      return ids;
    },
  };
}

async function readAll(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

/** Decrypts a part of a file. */
async function* decrypted(
  file: OpenFile,
  start: number,
  end: number,
  decipher: ReturnType<typeof createDecipheriv>,
): AsyncGenerator<Buffer> {
  for await (const piece of file.read(start, end)) yield decipher.update(piece);
  decipher.final();
}
