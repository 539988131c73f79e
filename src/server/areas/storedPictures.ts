/**
 * Stores pictures together with the rows that refer to them. A picture is on disk before its row is committed, so no row
 * refers to a missing file. Files without a row are removed here, or later by the clean-up job.
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
 * Stores pictures and calls `write` with their names, in the same order, to commit the rows that refer to them. If that
 * fails, the files are removed, at the latest by the clean-up job.
 */
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
      const orphaned = await findOrphanedFiles(parts.database.reader, stored).catch(() => []);
      await removePictures(parts, orphaned);
    }
    throw error;
  }
}

/** If the connection was lost during the commit, the row may still be committed: it is too early to check. */
function mayStillCommit(error: unknown): boolean {
  const refusal = asRefusal(error);
  return refusal instanceof Refusal && refusal.code === 'BUSY';
}

/** Removes pictures that no row refers to anymore. If the disk fails, the clean-up job removes them later. */
export async function removePictures({ files }: Pick<FileParts, 'files'>, names: string[]): Promise<void> {
  await Promise.allSettled(names.map(name => files.remove(name)));
}
