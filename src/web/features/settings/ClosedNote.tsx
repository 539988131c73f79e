/** Under a form that a frozen customer cannot send: why, and whom to ask. */
import { messages } from '#contract/messages.ts';
import { aboutFrozenAccount } from '#web/base/helpDesk.ts';
import { LockNote } from '#web/ui/LockNote.tsx';
import { words } from './words.ts';

export function ClosedNote({ className }: { className?: string }) {
  return (
    <LockNote className={className} to={aboutFrozenAccount} link={messages.nav.askHelpDesk}>
      {words.closed}
    </LockNote>
  );
}
