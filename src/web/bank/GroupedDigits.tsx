/**
 * A field for an account number, shown in groups of four while it is typed. Its value is only the digits, also those that are
 * too many. Other typed or pasted characters are dropped, and the caret keeps its position between the digits.
 */
import { formatAccountNumber } from '#contract/accountNumber.ts';
import { TextField, type TextFieldProps } from '#web/ui/TextField.tsx';
import { useGroupedCaret } from './useGroupedCaret.ts';

export function GroupedDigits({ value, onChange, ...box }: TextFieldProps) {
  const shown = formatAccountNumber(value);
  const { box: field, caret } = useGroupedCaret(shown, ' ');

  const type = (text: string) => {
    const place = field.current?.selectionStart ?? text.length;
    const before = digitsOf(text.slice(0, place));
    let digits = digitsOf(text);
    caret.current = before.length;
    // Only the gap at the caret was deleted: delete the digit before it. Pasting the same digits without gaps deletes nothing.
    if (shown[place] === ' ' && text === shown.slice(0, place) + shown.slice(place + 1)) {
      digits = digits.slice(0, before.length - 1) + digits.slice(before.length);
      caret.current -= 1;
    }
    onChange(digits);
  };

  return <TextField {...box} ref={field} value={shown} onChange={type} />;
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}
