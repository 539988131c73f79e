/** The number pad: twelve real buttons in a 3 × 4 grid, set as one ruled sheet. It knows no digits; it only reports presses. */
import * as authMessages from '#contract/messages/auth.ts';
import { classNames } from './classNames.ts';
import { words } from './words.ts';
import './Keypad.css';

export type KeypadProps = {
  onDigit: (digit: string) => void;
  onDelete: () => void;
  onClear: () => void;
  label?: string | undefined;
  /** The id of the field it fills. */
  controls?: string | undefined;
  disabled?: boolean | undefined;
  className?: string | undefined;
};

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

export function Keypad(props: KeypadProps) {
  const { onDigit, onDelete, onClear, label = words.keypad, controls, disabled, className } = props;
  const digitKey = (digit: string) => (
    <button type="button" key={digit} disabled={disabled} onClick={() => onDigit(digit)}>
      {digit}
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid in every browser
    <div className={classNames('Keypad', className)} role="group" aria-label={label} aria-controls={controls}>
      {digits.map(digitKey)}
      <button
        type="button"
        className="Keypad-word"
        aria-label={words.clearAll(authMessages.clear)}
        disabled={disabled}
        onClick={onClear}
      >
        {authMessages.clear}
      </button>
      {digitKey('0')}
      <button
        type="button"
        className="Keypad-word"
        aria-label={words.deleteLast(authMessages.deleteLast)}
        disabled={disabled}
        onClick={onDelete}
      >
        {authMessages.deleteLast}
      </button>
    </div>
  );
}
