/**
 * The boxes of a one-time code, one per digit. Typing moves forward, Backspace moves back, arrow keys move the focus, and a
 * paste (or a phone's one-time-code autofill) spreads over the boxes. Reports the code once all are filled.
 */
import { type ClipboardEvent, type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { Icon } from './Icon.tsx';
import './Field.css';
import './Input.css';
import './CodeBoxes.css';

export type CodeBoxesProps = {
  legend: string;
  /** The number of boxes. */
  length: number;
  /** The label of the box at a position (from 1): 'Digit 2 of 6'. */
  boxLabel: (place: number) => string;
  /** The id of the element that says where the code comes from: announced when the boxes get the focus. */
  describedBy?: string | undefined;
  /** The digits; an empty box before a later digit is a space. */
  value: string;
  onChange: (value: string) => void;
  /** Called with all digits when the last empty box is filled, and when a digit of a full code changes. */
  onComplete?: ((code: string) => void) | undefined;
  error?: ReactNode;
  autoFocus?: boolean | undefined;
};

export function CodeBoxes(props: CodeBoxesProps) {
  const { legend, length, boxLabel, describedBy, value, onChange, onComplete } = props;
  const { error, autoFocus } = props;
  const places = Array.from({ length }, (_, place) => place);
  const errorId = useId();
  const boxes = useRef<(HTMLInputElement | null)[]>([]);
  const digitAt = (place: number) => value[place]?.trim() ?? '';
  const focusBox = (place: number) => boxes.current[Math.max(0, Math.min(place, length - 1))]?.focus();

  useEffect(() => {
    // The boxes are shown before this runs, so a fast person or a test may already be typing in one.
    const isInUse = boxes.current.some(box => box === document.activeElement);
    if (autoFocus && !isInUse) boxes.current[0]?.focus();
  }, [autoFocus]);

  const write = (place: number, digits: string) => {
    const text = places
      .map(at => digits[at - place] || digitAt(at) || ' ')
      .join('')
      .trimEnd();
    if (text === value) return;
    onChange(text);
    if (/^\d+$/.test(text) && text.length === length) onComplete?.(text);
  };
  const clear = (place: number) =>
    onChange(
      places
        .map(at => (at === place ? ' ' : digitAt(at) || ' '))
        .join('')
        .trimEnd(),
    );
  /** A whole code always starts at the first box; a part of a code starts at the focused box. */
  const spread = (place: number, text: string) => {
    const digits = text.replace(/\D/g, '').slice(0, length);
    if (!digits) return;
    const start = digits.length === length ? 0 : place;
    const fitting = digits.slice(0, length - start);
    write(start, fitting);
    focusBox(start + fitting.length);
  };

  const typed = (place: number, text: string) => {
    const digits = text.replace(/\D/g, '');
    const before = digitAt(place);
    if (digits === '') {
      if (text === '') clear(place);
    } else if (digits.length === 1 || (before && digits.length === 2)) {
      // In a filled box the new digit replaces the old one, whether it was typed before or after the old one.
      const digit = digits.length === 2 && digits.endsWith(before) ? digits[0] : digits.at(-1);
      write(place, digit as string);
      focusBox(place + 1);
    } else spread(place, digits);
  };
  const pressed = (place: number, event: KeyboardEvent) => {
    if (event.key === 'Backspace' && !digitAt(place) && place > 0) {
      clear(place - 1);
      focusBox(place - 1);
    } else if (event.key === 'ArrowLeft') focusBox(place - 1);
    else if (event.key === 'ArrowRight') focusBox(place + 1);
    else if (event.key === 'Home') focusBox(0);
    else if (event.key === 'End') focusBox(length - 1);
    else return;
    event.preventDefault();
  };
  const pasted = (place: number, event: ClipboardEvent) => {
    event.preventDefault();
    spread(place, event.clipboardData.getData('text'));
  };

  return (
    <fieldset
      className="CodeBoxes"
      aria-describedby={[describedBy, error && errorId].filter(Boolean).join(' ') || undefined}
    >
      <legend className="sr-only">{legend}</legend>
      <div className="CodeBoxes-row">
        {places.map(place => (
          <input
            key={place}
            ref={box => {
              boxes.current[place] = box;
            }}
            className="Input"
            type="text"
            inputMode="numeric"
            pattern="[0-9]*"
            autoComplete={place === 0 ? 'one-time-code' : 'off'}
            aria-label={boxLabel(place + 1)}
            aria-invalid={error ? true : undefined}
            value={digitAt(place)}
            onChange={event => typed(place, event.target.value)}
            // Typing the same digit triggers no change event, but still moves forward.
            onInput={event => event.currentTarget.value === digitAt(place) && focusBox(place + 1)}
            onKeyDown={event => pressed(place, event)}
            onPaste={event => pasted(place, event)}
            onFocus={event => event.target.select()}
          />
        ))}
      </div>
      <div role="alert">
        {error && (
          <p className="Field-error" id={errorId}>
            <Icon name="alert" size={16} />
            <span>{error}</span>
          </p>
        )}
      </div>
    </fieldset>
  );
}
