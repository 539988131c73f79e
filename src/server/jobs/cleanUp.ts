/** The task `clean-up`, as far as files go: removes those that nobody's row names. */

/** The stored files, as far as sweeping needs them. */
export type SweptFiles = {
  listBefore(time: Date): AsyncIterable<string>;
  remove(name: string): Promise<void>;
};

const atOnce = 1_000;
/** A file is stored before the row that names it is committed; one this old has no such row coming. */
const orphanAgeMs = 60 * 60 * 1000;

/** Removes files of which `findUnnamed` says that no row names them, until it is done or `signal` aborts. Returns how many. */
export async function removeOrphans(
  files: SweptFiles,
  findUnnamed: (names: string[]) => Promise<string[]>,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0;
  const sweep = async (names: string[]): Promise<void> => {
    for (const name of await findUnnamed(names)) {
      await files.remove(name);
      removed++;
    }
  };
  let names: string[] = [];
  for await (const name of files.listBefore(new Date(Date.now() - orphanAgeMs))) {
    if (signal?.aborted) return removed;
    names.push(name);
    if (names.length === atOnce) {
      await sweep(names);
      names = [];
    }
  }
  if (names.length > 0) await sweep(names);
  return removed;
}
