/** The question before a row or card is removed, in place of its buttons. `useRemoveQuestion` opens it and moves the focus. */
import { useId, useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { classNames } from '#web/ui/classNames.ts';
import * as words from './words.ts';
import './RemoveQuestion.css';

/** `onRemoved` moves the focus away from the removed row. Not called if the removal failed or the focus is elsewhere. */
export function useRemoveQuestion(remove: () => Promise<{ error?: unknown }>, onRemoved: () => void) {
  /** Undefined until the question first opens. `false` after 'Keep', which returns the focus to the button that opened it. */
  const [isAsking, setIsAsking] = useState<boolean>();
  const removeNow = async (button: HTMLButtonElement) => {
    const { error } = await remove();
    if (!error && document.activeElement === button) onRemoved();
  };
  return {
    isAsking,
    /** Props of the button that opens the question. */
    opener: { autoFocus: isAsking === false, onClick: () => setIsAsking(true) },
    /** Props of the question. */
    answers: { removeNow, keep: () => setIsAsking(false), autoFocus: true },
  };
}

export type RemoveQuestionProps = {
  removeNow: (button: HTMLButtonElement) => Promise<void>;
  keep: () => void;
  /** Keep gets the focus. */
  autoFocus?: boolean | undefined;
  className?: string | undefined;
  text: string;
  /** The text of the button that removes. `busyLabel` is its text while it is busy. */
  label: string;
  busyLabel: string;
  busy: boolean;
};

export function RemoveQuestion(props: RemoveQuestionProps) {
  const { className, text, label, busyLabel, busy, removeNow, keep, autoFocus } = props;
  const id = useId();
  return (
    <fieldset className={classNames('RemoveQuestion', className)} aria-labelledby={id}>
      <p id={id}>{text}</p>
      <Button
        kind="danger"
        size="s"
        busy={busy}
        busyLabel={busyLabel}
        onClick={event => void removeNow(event.currentTarget)}
      >
        {label}
      </Button>
      <Button kind="quiet" size="s" autoFocus={autoFocus} onClick={keep}>
        {words.keep}
      </Button>
    </fieldset>
  );
}
