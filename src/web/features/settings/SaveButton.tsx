/** The button that saves a form. In its place, a frozen customer sees why the form is closed. */
import * as settingsMessages from '#contract/messages/settings.ts';
import { Button } from '#web/ui/Button.tsx';
import { FrozenNote } from './FrozenNote.tsx';

export function SaveButton({ frozen, busy }: { frozen: boolean | undefined; busy: boolean }) {
  if (frozen) return <FrozenNote />;
  return (
    <Button type="submit" busy={busy} busyLabel={settingsMessages.saving}>
      {settingsMessages.save}
    </Button>
  );
}
