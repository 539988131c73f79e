/** Whether a stored picture is removed when its row was not committed, or may have been. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refusal } from '#contract/errors.ts';
import { newId } from '#server/base/uuid.ts';
import { type FileStore, openFileStore } from '#server/outside/files.ts';
import { cloneDatabase, type TestDatabase, testKeys } from '../../../tests/database.ts';
import { storePictures } from './storedPictures.ts';

let place: TestDatabase;
let root: string;
let files: FileStore;
beforeAll(async () => {
  place = await cloneDatabase();
  root = mkdtempSync(join(tmpdir(), 'larkspur-kept-'));
  files = openFileStore(root, testKeys);
});
afterAll(async () => {
  await place.drop();
  rmSync(root, { recursive: true, force: true });
});

/** The stored bytes of a picture after `write` failed with this error. */
async function leftAfter(error: Error): Promise<Buffer | undefined> {
  let name = '';
  const storing = storePictures(
    { database: place.database, files },
    { personId: newId(), pictures: [{ bytes: Buffer.from('a picture'), kind: 'avatar' }] },
    ([stored]) => {
      name = stored!;
      return Promise.reject(error);
    },
  );
  await expect(storing).rejects.toBe(error);
  return await files.read(name);
}

test('a picture whose row was refused is removed', async () => {
  expect(await leftAfter(new Refusal('CONFLICT'))).toBeUndefined();
});

test.each([
  ['a query timeout', new Error('Query read timeout')],
  ['a busy refusal', new Refusal('BUSY', { waitTime: 2 })],
])('after %s the row may still be committed, so the picture stays', async (_, error) => {
  expect(await leftAfter(error)).toEqual(Buffer.from('a picture'));
});
