/** The number pad: twelve real buttons in a 3 × 4 grid. It has no state; it only reports key presses. */
import './Keypad.css';

/** A key with a word on it; `label` is its accessible name. */
export type WordKey = { text: string; label: string; onPress: () => void };

export type KeypadProps = {
  onDigit: (digit: string) => void;
  clear: WordKey;
  deleteLast: WordKey;
  label: string;
  /** The id of the field it fills. */
  controls?: string | undefined;
  disabled?: boolean | undefined;
};

const digits = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

export function Keypad(props: KeypadProps) {
  const { onDigit, clear, deleteLast, label, controls, disabled } = props;
  const digitKey = (digit: string) => (
    <button type="button" key={digit} disabled={disabled} onClick={() => onDigit(digit)}>
      {digit}
    </button>
  );
  const wordKey = ({ text, label: name, onPress }: WordKey) => (
    <button type="button" className="Keypad-word" aria-label={name} disabled={disabled} onClick={onPress}>
      {text}
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a grid in every browser
    <div className="Keypad" role="group" aria-label={label} aria-controls={controls}>
      {digits.map(digitKey)}
      {wordKey(clear)}
      {digitKey('0')}
      {wordKey(deleteLast)}
    </div>
  );
}
