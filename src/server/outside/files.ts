/**
 * Stores customers' pictures. Each is encrypted with the key of its customer. A file begins with the customer's id, so it can
 * be read without a query. File names are random and generated here, and only this module maps a name to a place in the store.
 * Pictures are served only through the API, never from the store itself.
 */
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { Refusal } from '#contract/errors.ts';
import { decryptBytes, encrypt, OtherKey } from '../base/encryption.ts';
import { idToBytes, toId } from '../base/uuid.ts';
import type { ObjectStore } from './objectStore.ts';
import type { PersonKeys } from './personKeys.ts';
import type { StoreLog } from './s3Requests.ts';

/** The kind of picture. It is part of the file name, so an ID document can never be served as an avatar. */
export type FileKind = 'avatar' | 'id-card';

export type FileStore = {
  /**
   * Stores a person's WebP picture durably and returns the file name: its kind and 128 random bits. Throws `BUSY` if the store
   * is full, does not answer, or has lost the folder.
   */
  put(bytes: Uint8Array, kind: FileKind, personId: string): Promise<string>;
  /**
   * The bytes; undefined if there is no such file, its person's key was erased, or the name is invalid. Also undefined, with a
   * warning, if the key was lost and the person has another one now. Throws `BUSY` if the folder is lost, and
   * `DecryptionFailed` if the file is damaged.
   */
  read(name: string): Promise<Buffer | undefined>;
  /** Removes a file, in quarantine too. A missing file is not an error. */
  remove(name: string): Promise<void>;
  /** Names of the files stored before `time`, without those in quarantine. */
  listBefore(time: Date): AsyncIterable<string>;
  /** Moves a file to the quarantine, where `read` still finds it. A missing file is not an error. */
  quarantine(name: string): Promise<void>;
  /** Moves a file back from the quarantine. */
  release(name: string): Promise<void>;
  /** Names of all files that were moved to the quarantine before `time`. */
  listQuarantinedBefore(time: Date): AsyncIterable<string>;
  /**
   * Whether the pictures belong to this bank. The first bank that asks becomes their owner. Called at the start: from then on,
   * the folder counts as lost if it does not have the id of that owner or of this bank.
   */
  belongsTo(bankId: string): Promise<boolean>;
};

const namePattern = /^(?:avatar|id-card)-([0-9a-f]{2})[0-9a-f]{30}\.webp$/;
const personIdBytes = 16;

/** Where a picture is inside the folder `files`; undefined if the name is invalid. */
export function picturePath(name: string): string | undefined {
  const match = namePattern.exec(name);
  return match ? `${match[1]}/${name}` : undefined;
}

const folder = 'files/';
const quarantineFolder = `${folder}quarantine/`;
/** Holds the id of the bank that owns the pictures. */
const ownerKey = `${folder}bank-id`;
const busySeconds = 5;

export function openFileStore(
  store: ObjectStore,
  keys: Pick<PersonKeys, 'find' | 'obtain'>,
  log?: StoreLog,
): FileStore {
  const keyOf = (name: string): string | undefined => {
    const path = picturePath(name);
    return path === undefined ? undefined : folder + path;
  };
  const quarantined = (name: string): string => quarantineFolder + name;
  const readOwner = async () => (await store.get(ownerKey))?.toString().trim();
  /** The ids of this bank and of the owner that the folder had when this process first saw it. */
  const known = new Set<string | undefined>();

  /**
   * Throws `BUSY` if the folder is lost. If its disk is not mounted, every file seems missing, and a new file would disappear
   * when the disk is mounted again.
   */
  async function refuseLostFolder(): Promise<void> {
    if (known.size === 0) return;
    const owner = await readOwner();
    if (owner === '' || known.has(owner)) return;
    const cause = new Error('The folder of pictures is missing, or is another one than at the start.');
    throw new Refusal('BUSY', { waitTime: busySeconds, cause });
  }

  return {
    async put(bytes, kind, personId) {
      const name = `${kind}-${randomBytes(16).toString('hex')}.webp`;
      // The name is authenticated: a file that is moved to another name cannot be read.
      const encrypted = encrypt(await keys.obtain(personId), name, bytes);
      await refuseLostFolder();
      await store.put(keyOf(name)!, Buffer.concat([idToBytes(personId), encrypted]));
      return name;
    },

    async read(name) {
      const key = keyOf(name);
      if (key === undefined) return undefined;
      const stored = (await store.get(key)) ?? (await store.get(quarantined(name)));
      if (!stored) await refuseLostFolder();
      const own = stored && (await keys.find(toId(stored.subarray(0, personIdBytes))));
      try {
        return own && decryptBytes(own, name, stored.subarray(personIdBytes));
      } catch (error) {
        if (!(error instanceof OtherKey)) throw error;
        log?.warn({ file: name }, 'a picture counts as missing: its person has another key now');
        return undefined;
      }
    },

    async remove(name) {
      const key = keyOf(name);
      if (key === undefined) return;
      await store.delete(key);
      await store.delete(quarantined(name));
    },

    async *listBefore(time) {
      for await (const { key, storedAt } of store.list(folder)) {
        const name = basename(key);
        if (storedAt < time && keyOf(name) === key) yield name;
      }
    },

    async quarantine(name) {
      const key = keyOf(name);
      if (key !== undefined) await store.move(key, quarantined(name));
    },

    async release(name) {
      const key = keyOf(name);
      if (key !== undefined) await store.move(quarantined(name), key);
    },

    async *listQuarantinedBefore(time) {
      for await (const { key, storedAt } of store.list(quarantineFolder)) {
        const name = basename(key);
        if (storedAt < time && keyOf(name) !== undefined) yield name;
      }
    },

    async belongsTo(bankId) {
      await refuseLostFolder();
      let owner = await readOwner();
      if (!owner) {
        // An empty file was left by a full disk or a crash.
        if (owner === '') await store.delete(ownerKey);
        await store.create(ownerKey, Buffer.from(`${bankId}\n`));
        owner = await readOwner();
      }
      known.add(bankId).add(owner ?? bankId);
      return owner === bankId;
    },
  };
}
