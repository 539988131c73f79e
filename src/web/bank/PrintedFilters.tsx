/** What a printed list says about its filters. The screen does not show it. */
import { nameOfDay } from '#contract/bankTime.ts';
import { fill } from '#contract/messages/fill.ts';
import * as words from './words.ts';
import './PrintedFilters.css';

export type PrintedFiltersProps = {
  /** A choice whose value is not among its options is left out. */
  choices?: readonly {
    label: string;
    value: string;
    options: readonly { value: string; label: string }[];
  }[];
  startDate?: string;
  endDate?: string;
  search?: string;
};

export function PrintedFilters({ choices = [], startDate, endDate, search }: PrintedFiltersProps) {
  const texts = [
    ...choices.map(({ label, value, options }) => {
      const chosen = options.find(option => option.value === value);
      return chosen && fill(words.printFilter, { label, value: chosen.label });
    }),
    startDate && fill(words.printFrom, { day: nameOfDay(startDate) }),
    endDate && fill(words.printTo, { day: nameOfDay(endDate) }),
    search && fill(words.printFilter, { label: words.search, value: search }),
  ];
  return texts.map(
    text =>
      text && (
        <p key={text} className="PrintedFilters">
          {text}
        </p>
      ),
  );
}
