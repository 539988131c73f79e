/**
 * A field for an account number, shown 4 4 4 while it is typed. Its value is the digits alone, at most twelve; whatever else is
 * typed or pasted is left out, and the caret stays between the digits it stood between.
 */
import { useLayoutEffect, useRef } from 'react';
import { formatAccountNumber } from '#contract/accountNumber.ts';
import { accountNumber } from '#contract/constants.ts';
import { TextField, type TextFieldProps } from '#web/ui/TextField.tsx';

export function GroupedDigits({ value, onChange, ...box }: TextFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const shown = formatAccountNumber(value);
  // How many digits stand before the caret; set by typing, used once the new digits are shown.
  const caret = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (caret.current === undefined || document.activeElement !== field.current) return;
    const place = placeAfter(shown, caret.current);
    field.current?.setSelectionRange(place, place);
    caret.current = undefined;
  });

  const type = (text: string) => {
    const place = field.current?.selectionStart ?? text.length;
    const before = digitsOf(text.slice(0, place));
    let digits = digitsOf(text);
    caret.current = before.length;
    // Only the gap at the caret was deleted: the digit before it was meant. The same digits pasted without gaps are no deletion.
    if (shown[place] === ' ' && text === shown.slice(0, place) + shown.slice(place + 1)) {
      digits = digits.slice(0, before.length - 1) + digits.slice(before.length);
      caret.current -= 1;
    }
    onChange(digits.slice(0, accountNumber.digits));
  };

  return <TextField {...box} ref={field} value={shown} onChange={type} />;
}

function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

function placeAfter(shown: string, count: number): number {
  let place = 0;
  for (let seen = 0; place < shown.length && seen < count; place++) if (shown[place] !== ' ') seen++;
  return place;
}
