/**
 * One random key for each person, which encrypts their pictures and the secrets of their second factors. The keys are files of
 * their own, encrypted with `Secrets.personKey`, and not in the database: a backup of the database or of the pictures does not
 * contain them. Deleting a person's key makes every copy of that data unreadable (docs/decisions/0021-keys.md).
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, opendir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ignore, replaceDurably, syncFolder, writeDurably } from '../base/durableFiles.ts';
import { decryptBytes, encrypt, encryptAgain, isCurrent } from '../base/encryption.ts';
import { type Key, toKey } from '../base/keys.ts';

export type PersonKeys = {
  /** The person's key; undefined if there is none, because the person was erased. */
  find(personId: string): Promise<Key | undefined>;
  /** The person's key, which is made at its first use. */
  obtain(personId: string): Promise<Key>;
  /** Deletes the person's key. A missing one is not an error. */
  erase(personId: string): Promise<void>;
  /** Whether the folder exists. If it is lost, new keys must not take its place unnoticed. */
  exists(): boolean;
  /** Creates the folder. */
  create(): Promise<void>;
  /** How many keys a former secret encrypts. */
  countFormer(): Promise<number>;
  /** Encrypts them with the current secret. `isErased`: whether the person was erased in the meantime. */
  rewrap(isErased: (personId: string) => Promise<boolean>): Promise<void>;
};

const keyBytes = 32;
const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Where a person's key is inside the folder. The last digits of an id are random, so folders grow evenly. */
export function personKeyPath(personId: string): string {
  if (!idPattern.test(personId)) throw new Error(`${personId} is not the id of a person.`);
  return join(personId.slice(-2), personId);
}

/** Opens the keys in the folder `root`. */
export function openPersonKeys(root: string, wrapping: Key): PersonKeys {
  const pathOf = (personId: string) => join(root, personKeyPath(personId));

  async function find(personId: string): Promise<Key | undefined> {
    const wrapped = await readFile(pathOf(personId)).catch(ignore('ENOENT'));
    return wrapped && toKey(decryptBytes(wrapping, personId, wrapped));
  }

  async function erase(personId: string): Promise<void> {
    const path = pathOf(personId);
    await rm(path, { force: true });
    await syncFolder(dirname(path)).catch(ignore('ENOENT'));
  }

  /** Every key with its person. */
  async function* list(): AsyncGenerator<{ personId: string; path: string; wrapped: Buffer }> {
    const folder = await opendir(root, { recursive: true }).catch(ignore('ENOENT'));
    for await (const entry of folder ?? []) {
      if (!entry.isFile() || !idPattern.test(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      const wrapped = await readFile(path).catch(ignore('ENOENT'));
      if (wrapped) yield { personId: entry.name, path, wrapped };
    }
  }

  return {
    find,

    async obtain(personId) {
      for (;;) {
        const existing = await find(personId);
        if (existing) return existing;
        const path = pathOf(personId);
        const draft = `${path}.${randomBytes(8).toString('hex')}.draft`;
        const bytes = randomBytes(keyBytes);
        let isMade = true;
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        try {
          await writeDurably(draft, encrypt(wrapping, personId, bytes));
          // Unlike a rename, a link does not replace the key that another process made at the same moment.
          await link(draft, path).catch(error => {
            ignore('EEXIST')(error);
            isMade = false;
          });
          await syncFolder(dirname(path));
        } finally {
          await rm(draft, { force: true });
        }
        // Not read again: if the person is being erased, the key may be gone, and what it encrypts with it.
        if (isMade) return toKey(bytes);
      }
    },

    erase,

    exists: () => existsSync(root),

    async create() {
      await mkdir(root, { recursive: true, mode: 0o700 });
    },

    async countFormer() {
      let former = 0;
      for await (const { wrapped } of list()) if (!isCurrent(wrapping, wrapped)) former++;
      return former;
    },

    async rewrap(isErased) {
      for await (const { personId, path, wrapped } of list()) {
        if (isCurrent(wrapping, wrapped)) continue;
        await replaceDurably(path, encryptAgain(wrapping, personId, wrapped));
        // An erasure deletes the key after its transaction: perhaps before this file was written.
        if (await isErased(personId)) await erase(personId);
      }
    },
  };
}
