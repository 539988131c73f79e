/** The first and the last day of a filter, each of which may be left open. Says where the first is after the last. */
import { TextField } from './TextField.tsx';
import { words as allWords } from './words.ts';

const words = allWords.filters;

/** Days as `2026-11-30`; empty means open. */
type Days = { startDate: string; endDate: string };
export type DayFieldsProps = Days & { onChange: (changed: Partial<Days>) => void };

export function DayFields({ startDate, endDate, onChange }: DayFieldsProps) {
  const wrongRange = startDate !== '' && endDate !== '' && startDate > endDate;
  return (
    <>
      <TextField
        label={words.from}
        type="date"
        figures
        value={startDate}
        max={endDate || undefined}
        onChange={value => onChange({ startDate: value })}
        error={wrongRange && words.wrongRange}
      />
      <TextField
        label={words.to}
        type="date"
        figures
        value={endDate}
        min={startDate || undefined}
        onChange={value => onChange({ endDate: value })}
      />
    </>
  );
}
