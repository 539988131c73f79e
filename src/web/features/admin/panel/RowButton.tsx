/** A small button for an action on one table row: busy while the action runs, named after its row. */
import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import './RowButton.css';

export type RowButtonProps = {
  /** The accessible name: the label and whom the button acts on. */
  name: string;
  /** Why the action is not possible yet. Without it, the button is enabled. */
  waitsFor?: string | undefined;
  children: string;
  onPress: () => unknown;
};

export function RowButton({ name, waitsFor, children, onPress }: RowButtonProps) {
  const [busy, setBusy] = useState(false);
  const press = async () => {
    setBusy(true);
    await onPress();
    setBusy(false);
  };
  return (
    <Button
      kind="quiet"
      size="s"
      className="RowButton"
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
