/** An on/off switch that takes effect immediately, e.g. to freeze an account. A text says the state too, not only the color. */
import { classNames } from './classNames.ts';
import { Spinner } from './Spinner.tsx';
import './Switch.css';

export type SwitchProps = {
  checked: boolean;
  onChange: (checked: boolean) => void;
  /** The visible word for the current state: 'Frozen' or 'Active'. */
  label: string;
  /** What it switches, for screen readers: 'Freeze the account of Hollis Vane'. */
  name?: string | undefined;
  /** What switching does now: 'Switch on to freeze this account'. */
  title?: string | undefined;
  tone?: 'brand' | 'danger' | undefined;
  busy?: boolean | undefined;
  disabled?: boolean | undefined;
  className?: string | undefined;
};

export function Switch(props: SwitchProps) {
  const { checked, onChange, label, name, title, tone = 'brand', busy, disabled, className } = props;
  return (
    <label className={classNames('Switch', `Switch--${tone}`, className)} title={title}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        aria-label={name === undefined ? undefined : `${name}: ${label}`}
        aria-busy={busy || undefined}
        checked={checked}
        disabled={disabled}
        onChange={event => !busy && onChange(event.target.checked)}
      />
      <span>{label}</span>
      {busy && <Spinner />}
    </label>
  );
}
