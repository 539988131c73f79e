/** Under a form that a frozen customer cannot send: why, and whom to ask. */
import * as navMessages from '#contract/messages/nav.ts';
import { aboutFrozenAccount } from '#web/base/helpDesk.ts';
import { LockNote } from '#web/ui/LockNote.tsx';
import { words } from './words.ts';
import './ClosedNote.css';

export function ClosedNote({ below }: { below?: boolean }) {
  return (
    <LockNote
      className={below ? 'ClosedNote--below' : undefined}
      to={aboutFrozenAccount}
      link={navMessages.askHelpDesk}
    >
      {words.closed}
    </LockNote>
  );
}
