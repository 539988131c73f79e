/** A released migration never changes, and servers of the last release work after every newer migration. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { worksWithServersFrom } from '#server/db/migrationStatements.ts';
import { listMigrations, type Migration } from '#server/db/migrations.ts';

const file = join(fileURLToPath(new URL('..', import.meta.url)), 'db', 'migrations', 'released.json');

/** Each release, oldest first, with the checksum of each of its migrations. */
type Released = Record<string, Record<string, string>>;

/** What is wrong with the migrations, one line each. */
function findFaults(
  released: Released,
  migrations: Pick<Migration, 'name' | 'checksum' | 'text'>[],
): string[] {
  const current = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  const changed = Object.entries(released).flatMap(([version, checksums]) =>
    Object.entries(checksums).flatMap(([name, checksum]) =>
      current.get(name) === checksum
        ? []
        : `${name} was changed after the release ${version}: undo that, and add a new migration`,
    ),
  );
  const last = Object.keys(Object.values(released).at(-1) ?? {}).sort();
  const newest = last.at(-1)?.slice(0, 4);
  const added = migrations.filter(({ name }) => newest !== undefined && !last.includes(name));
  const breaking = added.flatMap(({ name, text }) => {
    if (name.slice(0, 4) <= newest!) return `${name} comes before ${last.at(-1)}, which is released`;
    return (worksWithServersFrom(text) ?? '') > newest!
      ? `${name} stops the servers of the last release`
      : [];
  });
  return [...changed, ...breaking];
}

test('released migrations are unchanged, newer ones come after them, and servers of the last release work with the newer ones [VS-01]', () => {
  const released = {
    '1.0.0': { '0001_a': 'hash of a' },
    '1.1.0': { '0001_a': 'hash of a', '0003_b': 'hash of b' },
  };
  expect(
    findFaults(released, [
      { name: '0001_a', checksum: 'another', text: '' },
      { name: '0002_late', checksum: '', text: '' },
      { name: '0003_b', checksum: 'hash of b', text: '-- Works with servers from 0004' },
      { name: '0005_c', checksum: '', text: '-- Works with servers from 0003' },
      { name: '0006_d', checksum: '', text: '-- Works with servers from 0005' },
    ]),
  ).toEqual([
    '0001_a was changed after the release 1.0.0: undo that, and add a new migration',
    '0001_a was changed after the release 1.1.0: undo that, and add a new migration',
    '0002_late comes before 0003_b, which is released',
    '0006_d stops the servers of the last release',
  ]);
  expect(findFaults(JSON.parse(readFileSync(file, 'utf8')) as Released, listMigrations())).toEqual([]);
});
