/**
 * The turns of incoming files: some lines of the oldest file with waiting lines, then of the next one, and again from the
 * oldest.
 */
import { nilId } from '../base/uuid.ts';

/** How many lines of a file are applied in its turn. Each round costs a query, so shorter turns would be slower. */
const linesPerTurn = 50;

type Place = { fileId: string; line: number };
const start: Place = { fileId: nilId, line: 0 };
/** No file has so many lines. */
const lastLine = 2 ** 31 - 1;

export type Turns = ReturnType<typeof takeTurns>;

export function takeTurns() {
  let [after, count, hasApplied, isWaiting] = [start, 0, false, false];
  /**
   * File id and kind of the lines that need not wait for older files. This is checked once: a file that is stored later has a
   * newer id. Two exceptions are ignored: a file that took longer to store in another process, and one that was refused before.
   */
  const free = new Set<string>();
  return {
    /** The next line is the first one after this place. */
    after: () => after,
    /**
     * Whether a line of this round had to wait for an older file. The rest of the round then skips every line that can wait:
     * nearly all of them would wait too, for the same file or for the file of that line.
     */
    isWaiting: () => isWaiting,
    /** Whether the next line may be applied, or must wait for an older file, which `mustWait` finds out. */
    async mayApply(
      { fileId, line, kind }: Place & { kind: string },
      mustWait: () => Promise<boolean>,
    ): Promise<boolean> {
      if (!free.has(fileId + kind)) {
        if (await mustWait()) {
          isWaiting = true;
          return false;
        }
        free.add(fileId + kind);
      }
      hasApplied = true;
      count = fileId === after.fileId ? count + 1 : 1;
      // A line whose transaction is repeated is the next one again.
      after = { fileId, line: count === linesPerTurn ? lastLine : line - 1 };
      return true;
    },
    /** Call it if there is no line after the place. Returns false if the round applied no line: then no other round would. */
    startRound(): boolean {
      const isUseful = hasApplied;
      [after, count, hasApplied, isWaiting] = [start, 0, false, false];
      return isUseful;
    },
  };
}
