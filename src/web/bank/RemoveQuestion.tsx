/** The question before a row or card is removed, in place of its buttons. `useRemoveQuestion` opens it and moves the focus. */
import { type Ref, type RefObject, useId, useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import { classNames } from '#web/ui/classNames.ts';
import { useGoneFocus } from '#web/ui/useGoneFocus.ts';
import * as words from './words.ts';
import './RemoveQuestion.css';

/** `target` gets the focus when the question disappears together with its row or card. */
export function useRemoveQuestion(remove: () => unknown, target: RefObject<HTMLElement | null>) {
  /** Undefined until the question first opens. `false` after 'Keep', which returns the focus to the button that opened it. */
  const [isAsking, setIsAsking] = useState<boolean>();
  const goneFocus = useGoneFocus(target);
  return {
    isAsking,
    /** Props of the button that opens the question. */
    opener: { autoFocus: isAsking === false, onClick: () => setIsAsking(true) },
    /** Props of the question. */
    answers: { removeNow: remove, keep: () => setIsAsking(false), autoFocus: true, button: goneFocus },
  };
}

export type RemoveQuestionProps = {
  removeNow: () => unknown;
  keep: () => void;
  /** Keep gets the focus. */
  autoFocus?: boolean | undefined;
  /** The ref of both buttons. */
  button?: Ref<HTMLButtonElement>;
  className?: string | undefined;
  text: string;
  /** The text of the button that removes. `busyLabel` is its text while it is busy. */
  label: string;
  busyLabel: string;
  busy: boolean;
  /** Another act is under way, so nothing can be removed now. */
  disabled?: boolean | undefined;
};

export function RemoveQuestion(props: RemoveQuestionProps) {
  const { className, text, label, busyLabel, busy, disabled, removeNow, keep, autoFocus, button } = props;
  const id = useId();
  return (
    <fieldset className={classNames('RemoveQuestion', className)} aria-labelledby={id}>
      <p id={id}>{text}</p>
      <Button
        ref={button}
        kind="danger"
        size="s"
        busy={busy}
        busyLabel={busyLabel}
        disabled={disabled}
        onClick={() => void removeNow()}
      >
        {label}
      </Button>
      <Button
        ref={button}
        kind="quiet"
        size="s"
        autoFocus={autoFocus}
        onClick={event => {
          // The focus goes to the button that opened the question, and not to `target` first.
          event.currentTarget.blur();
          keep();
        }}
      >
        {words.keep}
      </Button>
    </fieldset>
  );
}
