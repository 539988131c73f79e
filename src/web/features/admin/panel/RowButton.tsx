/** A small button for an action on one table row: busy while the action runs, described by its row. */
import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import './RowButton.css';

export type RowButtonProps = {
  /** The button's description and tooltip: the action with the row's name, or why it is disabled. */
  label: string;
  children: string;
  disabled?: boolean;
  onPress: () => Promise<unknown>;
};

export function RowButton({ label, children, disabled, onPress }: RowButtonProps) {
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
      title={label}
      disabled={disabled}
      busy={busy}
      onClick={press}
    >
      {children}
    </Button>
  );
}
