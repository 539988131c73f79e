/** The progress of an upload, a job or a savings goal: its name, a percentage, a bar. */
import { useId } from 'react';
import './Progress.css';

export type ProgressProps = {
  label: string;
  value: number;
  max?: number | undefined;
};

export function Progress({ label, value, max = 100 }: ProgressProps) {
  const id = useId();
  const percent = max > 0 ? Math.round((Math.min(Math.max(value, 0), max) / max) * 100) : 0;
  return (
    <div className="Progress">
      <label htmlFor={id}>
        <span>{label}</span>
        <span className="Progress-percent">{percent}%</span>
      </label>
      <progress id={id} value={percent} max={100} aria-label={label}>
        {percent}%
      </progress>
    </div>
  );
}
