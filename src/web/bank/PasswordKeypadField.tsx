/**
 * The numeric password: a field that the pad under it fills. While the field or the pad has the focus, the keyboard's digits,
 * Backspace, Delete, paste and password managers work too. Typing anywhere else does not reach the field. The field accepts
 * only digits. Screen readers hear how many digits there are, never which.
 */
import { type KeyboardEvent, type ReactNode, useId } from 'react';
import * as authMessages from '#contract/messages/auth.ts';
import { fill } from '#contract/messages/fill.ts';
import { classNames } from '#web/ui/classNames.ts';
import { Field } from '#web/ui/Field.tsx';
import { Icon } from '#web/ui/Icon.tsx';
import { isEasyToGuess } from './guessable.ts';
import { PasswordPad } from './PasswordPad.tsx';
import { passwordDigits } from './passwordDigits.ts';
import * as words from './words.ts';
import './PasswordKeypadField.css';
import '#web/ui/Input.css';

export type PasswordKeypadFieldProps = {
  label: string;
  /** The digits so far. */
  value: string;
  onChange: (digits: string) => void;
  autoComplete: 'current-password' | 'new-password';
  name?: string | undefined;
  id?: string | undefined;
  aside?: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  /** Shows the 'easy to guess' hint if it applies; default for new passwords. */
  warnGuessable?: boolean | undefined;
  /** Whether the field has a pad of its own (default). False if one pad serves several fields; the keyboard still works. */
  showPad?: boolean | undefined;
  /** Whether a shared pad currently fills this field. */
  active?: boolean | undefined;
  autoFocus?: boolean | undefined;
  disabled?: boolean | undefined;
  onFocus?: (() => void) | undefined;
  className?: string | undefined;
};

export function PasswordKeypadField({
  label,
  value,
  onChange,
  autoComplete,
  name,
  id: givenId,
  aside,
  hint,
  error,
  warnGuessable = autoComplete === 'new-password',
  showPad = true,
  active,
  autoFocus,
  disabled,
  onFocus,
  className,
}: PasswordKeypadFieldProps) {
  const ownId = useId();
  const id = givenId ?? ownId;
  const warning = warnGuessable && isEasyToGuess(value) && (
    <>
      <Icon name="info" size={16} />
      <span>{authMessages.easyToGuess}</span>
    </>
  );
  const change = (next: string) => {
    const digits = passwordDigits(next);
    if (digits !== value) onChange(digits);
  };
  // Without a pad, the warning replaces the hint in the field. With a pad, it is under the pad, and the hint stays.
  const warnsInField = warnGuessable && !showPad;
  const status = (
    <div className="PasswordKeypadField-note">
      {!error && (warning ? <p className="PasswordKeypadField-warning">{warning}</p> : hint)}
    </div>
  );
  // The browser handles editing in the field, except Delete at the end of the text: here it removes the last digit.
  const fieldKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const field = event.currentTarget;
    if (
      event.key !== 'Delete' ||
      field.selectionStart !== field.selectionEnd ||
      field.selectionEnd !== value.length
    )
      return;
    event.preventDefault();
    change(value.slice(0, -1));
  };

  return (
    <div className={classNames('PasswordKeypadField', active && 'PasswordKeypadField--active', className)}>
      <Field {...{ label, aside, error, id }} {...(warnsInField ? { status } : { hint })}>
        {control => (
          <input
            {...control}
            className={classNames('Input', value && 'PasswordKeypadField-dots')}
            type="password"
            inputMode="none"
            name={name}
            autoComplete={autoComplete}
            // biome-ignore lint/a11y/noAutofocus: only if the screen has nothing but this step
            autoFocus={autoFocus}
            disabled={disabled}
            value={value}
            onChange={event => change(event.target.value)}
            onKeyDown={fieldKey}
            onFocus={onFocus}
          />
        )}
      </Field>
      <p className="sr-only" role="status">
        {value &&
          (value.length === 1 ? words.oneDigitEntered : fill(words.digitsEntered, { n: value.length }))}
      </p>
      {showPad && (
        <div className="PasswordKeypadField-pad">
          <PasswordPad value={value} onChange={onChange} controls={id} disabled={disabled} />
        </div>
      )}
      {warnGuessable && showPad && (
        <div role="status" className="PasswordKeypadField-warning">
          {warning}
        </div>
      )}
    </div>
  );
}
