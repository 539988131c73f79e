/**
 * One random key for each person, which encrypts their pictures and the secrets of their second factors. The keys are files of
 * their own, encrypted with `Secrets.personKey`. They are not in the database, and `npm run backup` keeps only the keys that
 * still exist. So deleting a person's key makes every copy of that data unreadable (docs/decisions/0021-keys.md).
 */
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { LRUCache } from 'lru-cache';
import { Refusal } from '#contract/errors.ts';
import { decryptBytes, encrypt, encryptAgain, isCurrent, isOfKey } from '../base/encryption.ts';
import { type Key, toKey } from '../base/keys.ts';
import type { ObjectStore } from './objectStore.ts';
import type { StoreLog } from './s3Requests.ts';

export type PersonKeys = {
  /**
   * The person's key; undefined if it was erased or not made yet. This and the next two functions throw `BUSY` if the folder is
   * lost or another bank's.
   */
  find(personId: string): Promise<Key | undefined>;
  /** The person's key, which is made at its first use. */
  obtain(personId: string): Promise<Key>;
  /** Deletes the person's key. A missing one is not an error. */
  erase(personId: string): Promise<void>;
  /**
   * Whether the folder exists and belongs to this bank. Once it has belonged to this bank, it counts as lost if its marker is
   * missing. A folder without an owner becomes this bank's if it is empty, or if this bank can read one of its keys. The folder
   * is refused if keys are in a wrong folder inside it.
   */
  check(): Promise<FolderState>;
  /** Whether the last check found this bank's folder. Starts the next check without waiting for it: a gauge cannot wait. */
  answers(): boolean;
  /** Makes the folder for a new bank. If other banks' keys are in it, the bank becomes one more of its owners. */
  create(): Promise<void>;
  /**
   * Counts the keys that a former secret encrypted (`former`), and returns the keys that no given secret can read. Throws if
   * the folder is lost or another bank's.
   */
  findFormer(): Promise<OtherKeys & { former: number }>;
  /**
   * Encrypts the keys of former secrets with the current one, and returns the others. Throws as `findFormer` does. `isErased`:
   * whether the person was erased in the meantime.
   */
  rewrap(isErased: (personId: string) => Promise<boolean>): Promise<OtherKeys>;
};

/**
 * Keys that no given secret can read. `unread`: their files, each with the reason. `others`: how many more keys were encrypted
 * with none of the given secrets, in a folder that other banks use too. They are keys of those banks, or damaged.
 */
export type OtherKeys = { unread: string[]; others: number };

export type FolderState = 'ours' | 'missing' | 'foreign' | 'misplaced';

/** `place`: where the folder is, for the operator. */
type Owner = { bankId: string; place?: string; log?: StoreLog };

const folder = 'keys/';
/**
 * The name of a file with the ids of the banks whose keys are in the folder: usually one. If the folder's disk is not mounted,
 * a server sees an empty folder, or that of another bank, and notices by this file. It is in a folder of its own, because
 * servers of 1.0.0 copy each entry of the folder of keys as a folder to `BACKUP_DIR`.
 */
export const markerName = 'owner/bank-ids';
const marker = folder + markerName;
/** Where the keys are if a copy of the folder was copied into the folder and not over it. */
const nested = `${folder}keys/`;
/** In a marker: a bank that is not named may have keys in the folder, too. */
const unnamed = 'keys';

/** The ids in a marker, including `unnamed` if it is there. */
export const ownersIn = (marker: Buffer | undefined): string[] =>
  marker?.toString().split(/\s+/).filter(Boolean) ?? [];

/** Whether a bank that these owners don't include may have keys in the folder. */
export const mayHaveOthers = (owners: string[]): boolean => owners.length === 0 || owners.includes(unnamed);

const busySeconds = 5;
const keyBytes = 32;
const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Where a person's key is inside the folder. The last digits of an id are random, so folders grow evenly. */
export function personKeyPath(personId: string): string {
  if (!idPattern.test(personId)) throw new Error(`${personId} is not the id of a person.`);
  return `${personId.slice(-2)}/${personId}`;
}

/** How many keys are read from the store at once when all keys are read. */
const batchSize = 16;
/** How many keys are cached for times when the store does not answer. 32 bytes each. */
const maxRemembered = 50_000;

export function openPersonKeys(
  store: ObjectStore,
  wrapping: Key,
  { bankId, place = 'keys', log }: Owner,
): PersonKeys {
  /**
   * Read only while the store does not answer, so that an authenticator app still works. May contain a key that another
   * process has erased, but the database no longer contains anything that this key encrypts.
   */
  const remembered = new LRUCache<string, Key>({ max: maxRemembered });
  const keyOf = (personId: string) => folder + personKeyPath(personId);
  /** Whether a file is a person's key, at the place where `find` looks for it. */
  const isKey = (key: string) => idPattern.test(basename(key)) && keyOf(basename(key)) === key;

  async function find(personId: string): Promise<Key | undefined> {
    try {
      const wrapped = await store.get(keyOf(personId));
      const own = wrapped && toKey(decryptBytes(wrapping, personId, wrapped));
      if (!own) await refuseLostFolder();
      if (own) remembered.set(personId, own);
      else remembered.delete(personId);
      return own;
    } catch (error) {
      const known = error instanceof Refusal ? remembered.get(personId) : undefined;
      if (!known) throw error;
      return known;
    }
  }

  async function erase(personId: string): Promise<void> {
    await refuseLostFolder();
    await store.delete(keyOf(personId));
    remembered.delete(personId);
  }

  /** Whether this process saw that the folder belongs to this bank. */
  let isMarked = false;
  let [state, isChecking]: [FolderState, boolean] = ['ours', false];

  async function look(): Promise<FolderState> {
    const text = await store.get(marker);
    const owners = ownersIn(text);
    if (!isMarked && (await orBusy(hasMisplaced(nested)))) return 'misplaced';
    if (owners.includes(bankId)) return 'ours';
    if (!mayHaveOthers(owners)) return 'foreign';
    if (isMarked || (text === undefined && !(await store.hasFolder(folder)))) return 'missing';
    const found = await orBusy(judgeKeys());
    if (found !== 'ours') return found;
    const others = owners.filter(owner => owner !== unnamed);
    return await claim(text, others);
  }

  /** Throws `BUSY` instead of the disk's own error: a bank that can work without the keys for now must be able to start. */
  const orBusy = <T>(work: Promise<T>): Promise<T> =>
    work.catch((cause: Error) => {
      throw cause instanceof Refusal ? cause : new Refusal('BUSY', { waitTime: busySeconds, cause });
    });

  async function claim(text: Buffer | undefined, others: string[]): Promise<FolderState> {
    const lines = Buffer.from([...others, bankId, ''].join('\n'));
    if (text === undefined && !(await store.create(marker, lines))) return await look();
    if (text !== undefined) await store.put(marker, lines);
    return 'ours';
  }

  async function check(): Promise<FolderState> {
    const found = await look();
    isMarked ||= found === 'ours';
    return found;
  }

  /** Calls `check`, and logs a change of the state. */
  async function watch(): Promise<FolderState> {
    const found = await check();
    if (found === state) return found;
    state = found;
    if (found === 'ours') log?.warn({}, "the folder of people's keys is back");
    else log?.error({ reason: reasons[found] }, "people's keys cannot be used");
    return found;
  }

  const reasons = {
    missing: `The folder of people's keys is missing, or is another one than at the start: mount its disk; if it is lost, stop the servers and put a copy back (${place}).`,
    foreign: `The folder of people's keys belongs to another bank: put this bank's folder in its place (${place}).`,
    misplaced: `The folder of people's keys has keys in a wrong folder inside it: move them to their place (${place}).`,
  };

  /**
   * Throws `BUSY` unless the folder is this bank's. In a lost folder, every key seems missing, and deleting one erases nothing.
   * A new key would hide that the person's old key is missing, and would itself be hidden once the folder is back.
   */
  async function refuseLostFolder(): Promise<void> {
    const found = await watch();
    if (found !== 'ours')
      throw new Refusal('BUSY', { waitTime: busySeconds, cause: new Error(reasons[found]) });
  }

  /** `wrapped` is a refusal if the disk refuses this file. */
  type Stored = { personId: string; key: string; wrapped: Buffer | Refusal };

  const get = (key: string) =>
    store.get(key).catch((error: Error) => {
      const { code = '' } = (error.cause ?? {}) as NodeJS.ErrnoException;
      if (error instanceof Refusal && ['EACCES', 'EIO'].includes(code)) return error;
      throw error;
    });

  /** Every key with its person, in batches. */
  async function* list(): AsyncGenerator<Stored[]> {
    let keys: string[] = [];
    const readAll = async () => {
      const found = await Promise.all(
        keys.map(async key => ({ personId: basename(key), key, wrapped: await get(key) })),
      );
      keys = [];
      return found.filter((one): one is Stored => one.wrapped !== undefined);
    };
    for await (const { key } of store.list(folder)) {
      if (isKey(key)) keys.push(key);
      if (keys.length === batchSize) yield await readAll();
    }
    yield await readAll();
  }

  /** Why a key cannot be read; undefined if it can. */
  function whyUnread({ personId, wrapped }: Stored): string | undefined {
    try {
      if (wrapped instanceof Refusal) throw wrapped.cause;
      decryptBytes(wrapping, personId, wrapped);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  /** Calls `work` with each key of a former secret. */
  async function visitFormer(work: (one: Stored, wrapped: Buffer) => Promise<void>): Promise<OtherKeys> {
    const found = await check();
    if (found !== 'ours') throw new Error(reasons[found]);
    const isShared = ownersIn(await store.get(marker)).some(owner => owner !== bankId);
    const rest: OtherKeys = { unread: [], others: 0 };
    for await (const batch of list())
      for (const one of batch) {
        const { personId, wrapped } = one;
        const bytes = wrapped instanceof Refusal ? undefined : wrapped;
        if (bytes && isCurrent(wrapping, bytes)) continue;
        const why = whyUnread(one);
        if (bytes && !why) await work(one, bytes);
        else if (bytes && isShared && !isOfKey(wrapping, bytes)) rest.others++;
        else rest.unread.push(`${personKeyPath(personId)}: ${why}`);
      }
    return rest;
  }

  /**
   * Whose the keys are: this bank's if it can read one of them, or if there are none. Reads all keys of another bank, but only
   * at a start.
   */
  async function judgeKeys(): Promise<FolderState> {
    let hasKeys = false;
    for await (const batch of list()) {
      for (const { wrapped } of batch) if (wrapped instanceof Refusal) throw wrapped;
      if (batch.some(one => !whyUnread(one))) return 'ours';
      hasKeys ||= batch.length > 0;
    }
    if (hasKeys) return 'foreign';
    return (await hasMisplaced(folder)) ? 'misplaced' : 'ours';
  }

  /** Whether there are keys where `find` does not look for them. Lists the whole folder if there are none. */
  async function hasMisplaced(within: string): Promise<boolean> {
    for await (const { key } of store.list(within))
      if (idPattern.test(basename(key)) && !isKey(key)) return true;
    return false;
  }

  return {
    find,

    async obtain(personId) {
      for (;;) {
        const existing = await find(personId);
        if (existing) return existing;
        const bytes = randomBytes(keyBytes);
        const isMade = await store.create(keyOf(personId), encrypt(wrapping, personId, bytes));
        // Do not read the new key again: if the person is being erased, it may be gone already.
        if (!isMade) continue;
        const made = toKey(bytes);
        remembered.set(personId, made);
        return made;
      }
    },

    erase,

    check,

    answers() {
      if (!isChecking) {
        isChecking = true;
        const done = () => {
          isChecking = false;
        };
        watch().then(done, done);
      }
      return state === 'ours';
    },

    async create() {
      await store.createFolder(folder);
      if ((await check()) === 'ours') return;
      const text = await store.get(marker);
      const owners = ownersIn(text);
      await claim(text, owners.length > 0 ? owners : [unnamed]);
    },

    async findFormer() {
      let former = 0;
      const rest = await visitFormer(async () => void former++);
      return { former, ...rest };
    },

    rewrap: isErased =>
      visitFormer(async ({ personId, key }, wrapped) => {
        await store.put(key, encryptAgain(wrapping, personId, wrapped));
        // An erasure commits, then deletes the key. If it did that before this write, the write brought the key back.
        if (await isErased(personId)) await erase(personId);
      }),
  };
}
