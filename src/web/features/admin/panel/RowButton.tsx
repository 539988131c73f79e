/** A table row's small button for one step about that row: busy while it is under way, described by the row it is in. */
import { useState } from 'react';
import { Button } from '#web/ui/Button.tsx';
import './RowButton.css';

export type RowButtonProps = {
  /** The button's description (and tooltip): the word with the row's name, or why it is closed. */
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
