/** The turns of incoming files: some lines of the oldest file with waiting lines, then of the next one, and again from the oldest. */
import { nilId } from '../base/uuid.ts';

/** How many lines of a file are applied in its turn. Each round costs a query, so shorter turns would be slower. */
const linesPerTurn = 50;

export type Turns = ReturnType<typeof takeTurns>;

export function takeTurns() {
  let [passed, current, count, hasApplied] = [nilId, nilId, 0, false];
  /** The kinds of lines that do not wait for older files, with their file. Older files only get fewer waiting lines. */
  const free = new Set<string>();
  return {
    /** The next line is of the oldest file that is newer than this one. */
    passed: () => passed,
    /** Whether the next line may be applied, or must wait for an older file, which `mustWait` finds out. */
    async mayApply(
      { fileId, kind }: { fileId: string; kind: string },
      mustWait: () => Promise<boolean>,
    ): Promise<boolean> {
      if (!free.has(fileId + kind)) {
        if (await mustWait()) {
          passed = fileId;
          return false;
        }
        free.add(fileId + kind);
      }
      hasApplied = true;
      if (fileId !== current) [current, count] = [fileId, 0];
      if (++count === linesPerTurn) [passed, count] = [fileId, 0];
      return true;
    },
    /** Call it if no newer file has a line. Returns false if the last round applied no line: then no other round would. */
    startRound(): boolean {
      const isUseful = passed !== nilId && hasApplied;
      [passed, hasApplied] = [nilId, false];
      return isUseful;
    },
  };
}
