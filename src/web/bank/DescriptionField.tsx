/** The description of a transfer, in one line. Says how many characters are left. */
import { maxLength } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';
import { fill } from '#contract/messages/fill.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { TextField, type TextFieldProps } from '#web/ui/TextField.tsx';
import * as words from './words.ts';

export type DescriptionFieldProps = Pick<TextFieldProps, 'value' | 'onChange' | 'onBlur' | 'error'>;

export function DescriptionField(props: DescriptionFieldProps) {
  const n = Math.max(0, maxLength.description - props.value.length);
  return (
    <TextField
      {...props}
      name="description"
      label={transferMessages.description}
      optional={appMessages.optional}
      autoComplete="off"
      maxLength={maxLength.description}
      hint={n === 1 ? words.oneCharacterLeft : fill(words.charactersLeft, { n })}
    />
  );
}
