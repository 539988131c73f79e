/** A small button for an action on one table row: busy while the action runs, named after its row. */
import { useState } from 'react';
import { Button, type ButtonProps } from '#web/ui/Button.tsx';
import { classNames } from '#web/ui/classNames.ts';
import './RowButton.css';

export type RowButtonProps = {
  /** The accessible name: the label and whom the button acts on. */
  name: string;
  /** Why the action is not possible yet. Without it, the button is enabled. */
  waitsFor?: string | undefined;
  kind?: ButtonProps['kind'];
  className?: string;
  children: string;
  onPress: () => unknown;
};

export function RowButton({ name, waitsFor, kind = 'quiet', className, children, onPress }: RowButtonProps) {
  const [busy, setBusy] = useState(false);
  const press = async () => {
    setBusy(true);
    await onPress();
    setBusy(false);
  };
  return (
    <Button
      kind={kind}
      size="s"
      className={classNames('RowButton', className)}
      aria-label={name}
      title={waitsFor ?? name}
      disabled={waitsFor !== undefined}
      busy={busy}
      onClick={press}
    >
      {children}
    </Button>
  );
}
