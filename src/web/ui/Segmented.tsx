/** A choice of two or three options side by side: a radio group in one box. The arrow keys select, as in any radio group. */
import { useId } from 'react';
import './Segmented.css';

export type SegmentedProps<Value extends string> = {
  /** What is chosen, for screen readers: 'Kind of transfer'. */
  legend: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: string }[];
  disabled?: boolean | undefined;
};

export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { legend, value, onChange, options, disabled } = props;
  const name = useId();
  return (
    <fieldset className="Segmented screen-only" disabled={disabled}>
      <legend className="sr-only">{legend}</legend>
      <div className="Segmented-row">
        {options.map(option => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
