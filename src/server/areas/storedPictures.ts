/**
 * Stores pictures together with the rows that refer to them. A picture is stored before its row is committed, so no row refers
 * to a missing file.
 */
import { Refusal } from '#contract/errors.ts';
import { asRefusal } from '../db/database.ts';
import type { FileKind } from '../outside/files.ts';
import type { Parts } from '../parts.ts';
import { findOrphanedFiles } from '../people/expiry.ts';

type FileParts = Pick<Parts, 'database' | 'files'>;

/** An encoded picture to store. */
export type NewPicture = { bytes: Buffer; kind: FileKind };

/**
 * Stores a person's pictures. Then calls `write` with their names, in the same order, to commit the rows that refer to them. If
 * `write` fails, the files are removed here, or later by the clean-up job.
 */
export async function storePictures<T>(
  parts: FileParts,
  { personId, pictures }: { personId: string; pictures: NewPicture[] },
  write: (names: string[]) => Promise<T>,
): Promise<T> {
  const stored: string[] = [];
  try {
    for (const { bytes, kind } of pictures) stored.push(await parts.files.put(bytes, kind, personId));
    return await write(stored);
  } catch (error) {
    if (!mayStillCommit(error)) {
      const orphaned = await findOrphanedFiles(parts.database.reader, stored).catch(() => []);
      await removePictures(parts, orphaned);
    }
    throw error;
  }
}

/** Whether the rows may still be committed, as after a lost connection. Then it is too early to find the orphaned pictures. */
function mayStillCommit(error: unknown): boolean {
  const refusal = asRefusal(error);
  return refusal instanceof Refusal && refusal.code === 'BUSY';
}

/** An erased person, and the names of the pictures to remove. */
export type Erased = { personId: string; files: string[] };

/**
 * Called after the transaction that erased a person. First deletes the key, which makes every copy of the pictures unreadable,
 * and then the pictures. If the file store fails, the job `finish-erasures` does both later.
 */
export async function removeErased(
  { files, keys }: Pick<Parts, 'files' | 'keys'>,
  { personId, files: names }: Erased,
): Promise<void> {
  await keys.erase(personId).catch(() => {});
  await removePictures({ files }, names);
}

/** Removes pictures that no row refers to anymore. If the file store fails, the clean-up job removes them later. */
export async function removePictures({ files }: Pick<FileParts, 'files'>, names: string[]): Promise<void> {
  await Promise.allSettled(names.map(name => files.remove(name)));
}
