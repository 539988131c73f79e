/**
 * The keypad of a numeric password, for one field or for the active field of several. While it has the focus, the keyboard's
 * digits, Backspace, Delete and paste work too.
 */
import type { ClipboardEvent, KeyboardEvent } from 'react';
import * as authMessages from '#contract/messages/auth.ts';
import { fill } from '#contract/messages/fill.ts';
import { Keypad } from '#web/ui/Keypad.tsx';
import { passwordDigits } from './passwordDigits.ts';
import * as words from './words.ts';
import './PasswordPad.css';

export type PasswordPadProps = {
  /** The digits so far. */
  value: string;
  onChange: (digits: string) => void;
  /** The id of the field it fills. */
  controls: string;
  /** It serves several fields, of which one is active. A note above the keys says so. */
  shared?: boolean | undefined;
  disabled?: boolean | undefined;
};

export function PasswordPad({ value, onChange, controls, shared, disabled }: PasswordPadProps) {
  const add = (text: string) => {
    const digits = passwordDigits(value + text);
    if (digits !== value) onChange(digits);
  };
  const dropLast = () => {
    if (value) onChange(value.slice(0, -1));
  };
  const typeKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^\d$/.test(event.key)) add(event.key);
    else if (event.key === 'Backspace' || event.key === 'Delete') dropLast();
    else return;
    event.preventDefault();
  };
  const paste = (event: ClipboardEvent) => {
    event.preventDefault();
    add(event.clipboardData.getData('text'));
  };
  return (
    // Safari does not focus a clicked button, so the pad takes the focus itself and typing continues here.
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys inside are the controls; this handles the keyboard for them
    <div className="PasswordPad" tabIndex={-1} onKeyDown={typeKey} onPaste={paste}>
      {shared && (
        <p className="type-note" aria-hidden="true">
          {words.fillsMarked}
        </p>
      )}
      <Keypad
        label={words.keypad}
        controls={controls}
        disabled={disabled}
        onDigit={add}
        clear={{
          text: authMessages.clear,
          label: fill(words.clearAll, { key: authMessages.clear }),
          onPress: () => value && onChange(''),
        }}
        deleteLast={{
          text: authMessages.deleteLast,
          label: fill(words.dropLast, { key: authMessages.deleteLast }),
          onPress: dropLast,
        }}
      />
    </div>
  );
}
