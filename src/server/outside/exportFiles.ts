/**
 * Stores copies of customers' data on disk, encrypted with AES-256-GCM (NIST SP 800-38D). Each file has a key of its own, which
 * derives from the bank's secret and the salt in the file's row. They are written and read as streams. A file begins with the
 * id of the secret; one whose secret is not given anymore counts as missing, because the customer can have another one made.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ignore, syncFolder } from '../base/durableFiles.ts';
import { deriveKey, type Key, keyIdBytes, versionOf } from '../base/keys.ts';

/** `id`: a UUID. `salt`: from its row. */
type FileKey = { id: string; salt: Uint8Array };

export type ExportFiles = {
  /** Writes a file durably, replacing one with the same id. Returns the number of bytes before encryption. */
  write(key: FileKey, content: AsyncIterable<Uint8Array>): Promise<number>;
  /** Undefined if there is no such file. The stream fails at its end if the file was changed. */
  read(key: FileKey): Promise<Readable | undefined>;
  remove(id: string): Promise<void>;
  /** The ids of all files. Incomplete files of killed processes are removed. */
  list(): Promise<string[]>;
};

const algorithm = 'aes-256-gcm';
const [nonceBytes, tagBytes] = [12, 16] as const;
const [suffix, draftSuffix] = ['.zip.enc', '.draft'] as const;
const namePattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.zip\.enc$/;
/** A process that still writes to a file does so more often than this. */
const abandonedMs = 60 * 60 * 1000;

/** Opens the store in a folder, which is made when needed, readable by the owner only. */
export function openExportFiles(root: string, secret: Key): ExportFiles {
  const pathOf = (id: string) => join(root, id + suffix);
  const keyOf = ({ id, salt }: FileKey): Key =>
    deriveKey(secret, `${id} ${Buffer.from(salt).toString('hex')}`);

  return {
    async write(key, content) {
      await mkdir(root, { recursive: true, mode: 0o700 });
      const draft = `${pathOf(key.id)}-${randomBytes(8).toString('hex')}${draftSuffix}`;
      const nonce = randomBytes(nonceBytes);
      const [current] = keyOf(key);
      const cipher = createCipheriv(algorithm, current.bytes, nonce, { authTagLength: tagBytes });
      let size = 0;
      try {
        const file = await open(draft, 'wx', 0o600);
        try {
          await file.writeFile(Buffer.concat([Buffer.from(current.id, 'hex'), nonce]));
          for await (const piece of content) {
            size += piece.length;
            await file.writeFile(cipher.update(piece));
          }
          cipher.final();
          await file.writeFile(cipher.getAuthTag());
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(draft, pathOf(key.id));
        await syncFolder(root);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      return size;
    },

    async read(key) {
      const file = await open(pathOf(key.id), 'r').catch(ignore('ENOENT'));
      if (!file) return undefined;
      try {
        const bodyEnd = (await file.stat()).size - tagBytes;
        const [head, tag] = [Buffer.alloc(keyIdBytes + nonceBytes), Buffer.alloc(tagBytes)];
        await file.read(head, 0, head.length, 0);
        await file.read(tag, 0, tagBytes, bodyEnd);
        const version = versionOf(keyOf(key), head.toString('hex', 0, keyIdBytes));
        if (!version) {
          await file.close();
          return undefined;
        }
        const decipher = createDecipheriv(algorithm, version, head.subarray(keyIdBytes), {
          authTagLength: tagBytes,
        });
        decipher.setAuthTag(tag);
        // Closes the file at its end, and when the reader goes away.
        const body = file.createReadStream({ start: head.length, end: bodyEnd - 1 });
        return Readable.from(decrypted(body, decipher), { objectMode: false });
      } catch (error) {
        await file.close();
        throw error;
      }
    },

    async remove(id) {
      await rm(pathOf(id), { force: true });
    },

    async list() {
      const names = (await readdir(root).catch(ignore('ENOENT'))) ?? [];
      for (const name of names.filter(each => each.endsWith(draftSuffix))) {
        const path = join(root, name);
        const found = await stat(path).catch(ignore('ENOENT'));
        if (found && Date.now() - found.mtimeMs > abandonedMs) await rm(path, { force: true });
      }
      return names.flatMap(name => namePattern.exec(name)?.[1] ?? []);
    },
  };
}

async function* decrypted(
  body: AsyncIterable<Uint8Array>,
  decipher: ReturnType<typeof createDecipheriv>,
): AsyncGenerator<Buffer> {
  for await (const piece of body) yield decipher.update(piece);
  decipher.final();
}
