/** A one-line text field that says how many characters are left. */
import { fill } from '#contract/messages/fill.ts';
import { TextField, type TextFieldProps } from '#web/ui/TextField.tsx';
import * as words from './words.ts';

export type DescriptionFieldProps = TextFieldProps & { maxLength: number };

export function DescriptionField({ value, maxLength, ...field }: DescriptionFieldProps) {
  return (
    <TextField
      autoComplete="off"
      {...field}
      value={value}
      maxLength={maxLength}
      hint={charactersLeft(value, maxLength)}
    />
  );
}

function charactersLeft(text: string, max: number): string {
  const n = Math.max(0, max - text.length);
  return n === 1 ? words.oneCharacterLeft : fill(words.charactersLeft, { n });
}
