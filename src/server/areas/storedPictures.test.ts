/** What becomes of a stored picture whose row was not committed, or may have been. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import { type FileStore, openFileStore } from '#server/outside/files.ts';
import { cloneDatabase, type TestDatabase } from '../../../tests/database.ts';
import { storePictures } from './storedPictures.ts';

let place: TestDatabase;
let root: string;
let files: FileStore;
beforeAll(async () => {
  place = await cloneDatabase();
  root = mkdtempSync(join(tmpdir(), 'larkspur-kept-'));
  files = openFileStore(root);
});
afterAll(async () => {
  await place.drop();
  rmSync(root, { recursive: true, force: true });
});

/** What is stored of a picture after its writing ended with this error. */
async function leftAfter(error: Error): Promise<Buffer | undefined> {
  let name = '';
  const kept = storePictures(
    { database: place.database, files },
    [{ bytes: Buffer.from('a picture'), kind: 'avatar' }],
    ([stored]) => {
      name = stored!;
      return Promise.reject(error);
    },
  );
  await expect(kept).rejects.toBe(error);
  return await files.read(name);
}

test('a picture whose row was refused is gone', async () => {
  expect(await leftAfter(new Refusal('CONFLICT'))).toBeUndefined();
});

test.each([
  ['an answer that did not come in time', new Error('Query read timeout')],
  ['the word that the bank is busy', new Refusal('BUSY', { waitTime: 2 })],
])('after %s the row may be committed yet, and the picture stays', async (_, error) => {
  expect(await leftAfter(error)).toEqual(Buffer.from('a picture'));
});
