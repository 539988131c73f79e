/** The first and last day of a filter; either may be empty. Shows an error if the first is after the last. */
import { type ComponentProps, useState } from 'react';
import * as z from 'zod/mini';
import { day } from '#contract/fields.ts';
import { TextField } from '#web/ui/TextField.tsx';
import { isWrongRange } from './transactionFilters.ts';
import * as words from './words.ts';
import './DayFields.css';

const realDay = day('');

/** Days as `2026-11-30`; an empty day does not limit the range. */
type Days = { startDate: string; endDate: string };
export type DayFieldsProps = Days & { onChange: (changed: Partial<Days>) => void };

export function DayFields({ startDate, endDate, onChange }: DayFieldsProps) {
  return (
    <>
      <DayField
        label={words.from}
        value={startDate}
        max={endDate || undefined}
        onChange={value => onChange({ startDate: value })}
        error={isWrongRange({ startDate, endDate }) && words.wrongRange}
      />
      <DayField
        label={words.to}
        value={endDate}
        min={startDate || undefined}
        onChange={value => onChange({ endDate: value })}
      />
    </>
  );
}

/**
 * The field for one day. A year that is being typed passes through 0002, 0020 and 0202. These values stay in the field and are
 * not reported. If React wrote to the field while the user types, the browser would drop the digits typed so far.
 */
function DayField({ value, onChange, ...field }: ComponentProps<typeof TextField>) {
  const [typed, setTyped] = useState<string>();
  return (
    <TextField
      {...field}
      className="DayFields-day"
      type="date"
      figures
      value={typed ?? value}
      onChange={text => {
        setTyped(text);
        if (text === '' || z.safeParse(realDay, text).success) onChange(text);
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}
