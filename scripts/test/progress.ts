/**
 * One line for each part of `npm test` with its progress and duration. On a terminal the lines are updated in place. In a log,
 * a line is printed every 30 seconds while its part runs, and when the part ends.
 */
import { cpus } from 'node:os';

/** `units` names what `done` and `total` count, if anything. The total is unknown until the part has found its tests. */
export type Part = {
  readonly title: string;
  readonly units: string | undefined;
  done: number;
  total?: number;
  passed: number;
  failed: number;
  startedAt?: number;
  endedAt?: number;
};

const redrawMs = 500;
const logMs = 30_000;

export const newPart = (title: string, units?: string): Part => ({
  title,
  units,
  done: 0,
  passed: 0,
  failed: 0,
});

/** Minutes and seconds, as in 2:05. */
export function clock(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The line of a part. It fits into the 80 columns of a small terminal. */
function lineOf({ title, units, done, total, passed, failed, startedAt, endedAt }: Part): string {
  if (startedAt === undefined) return `${title.padEnd(22)}waiting`;
  const count = total === undefined ? `${done} ${units}` : `${done} of ${total} ${units}`;
  const outcome = `${passed} passed, ${failed} failed`;
  const took = clock((endedAt ?? Date.now()) - startedAt);
  return [
    title.padEnd(22),
    (units === undefined ? '' : count).padEnd(20),
    (units === undefined ? '' : outcome).padEnd(22),
    took.padStart(6),
    endedAt === undefined ? '' : ' done',
  ].join('');
}

/** Shows the parts until `close`, which leaves the lines as they are. */
export function openProgress(parts: readonly Part[]) {
  const { stdout } = process;
  const isTerminal = stdout.isTTY && process.env.TERM !== 'dumb';
  const print = (part: Part) => stdout.write(`${lineOf(part)}\n`);
  let drawn = 0;
  const redraw = (): void => {
    const lines = parts.map(part => `\u001b[2K${lineOf(part).slice(0, (stdout.columns || 80) - 1)}\n`);
    stdout.write((drawn > 0 ? `\u001b[${drawn}A` : '') + lines.join(''));
    drawn = lines.length;
  };
  const printRunning = (): void => {
    for (const part of parts) if (part.startedAt !== undefined && part.endedAt === undefined) print(part);
  };
  const timer = setInterval(isTerminal ? redraw : printRunning, isTerminal ? redrawMs : logMs);
  return {
    begin(part: Part): void {
      part.startedAt = Date.now();
      if (isTerminal) redraw();
    },
    end(part: Part): void {
      part.endedAt = Date.now();
      if (isTerminal) redraw();
      else print(part);
    },
    close(): void {
      clearInterval(timer);
    },
  };
}

/** Returns a function that says how busy the machine's processors have been since this call, in percent. */
export function watchProcessors(): () => number {
  const sum = (parts: number[]) => parts.reduce((total, part) => total + part, 0);
  const read = () => {
    const times = cpus().map(processor => processor.times);
    return { idle: sum(times.map(({ idle }) => idle)), all: sum(times.flatMap(Object.values)) };
  };
  const before = read();
  return () => {
    const { idle, all } = read();
    return Math.round(100 * (1 - (idle - before.idle) / (all - before.all)));
  };
}
