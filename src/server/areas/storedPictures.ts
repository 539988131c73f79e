/**
 * Pictures and the rows that name them. A picture is on the disk before its row is committed, so no row names a missing
 * file; what no row names is removed, at the latest by the cleaning up.
 */
import { Refusal } from '#contract/errors.ts';
import { asRefusal } from '../db/database.ts';
import type { FileKind } from '../outside/files.ts';
import type { Parts } from '../parts.ts';
import { findOrphanedFiles } from '../people/expiry.ts';

type FileParts = Pick<Parts, 'database' | 'files'>;

/** An encoded picture to keep. */
export type NewPicture = { bytes: Buffer; kind: FileKind };

/** Stores pictures and has `write` commit the rows that name them, in the same order. Where that fails, none is left but for the cleaning up. */
export async function storePictures<T>(
  parts: FileParts,
  pictures: NewPicture[],
  write: (names: string[]) => Promise<T>,
): Promise<T> {
  const stored: string[] = [];
  try {
    for (const { bytes, kind } of pictures) stored.push(await parts.files.put(bytes, kind));
    return await write(stored);
  } catch (error) {
    if (!mayStillCommit(error)) {
      const unnamed = await findOrphanedFiles(parts.database.reader, stored).catch(() => []);
      await removePictures(parts, unnamed);
    }
    throw error;
  }
}

/** A line lost at the commit leaves open whether a row will name them, and asking at once may be too early. */
function mayStillCommit(error: unknown): boolean {
  const refusal = asRefusal(error);
  return refusal instanceof Refusal && refusal.code === 'BUSY';
}

/** Removes pictures that no row names any more. Where the disk will not, the cleaning up does it later. */
export async function removePictures({ files }: Pick<FileParts, 'files'>, names: string[]): Promise<void> {
  await Promise.allSettled(names.map(name => files.remove(name)));
}
