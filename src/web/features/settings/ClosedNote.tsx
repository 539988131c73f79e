/** Shown under a form that a frozen customer cannot submit: the reason, and whom to contact. */
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
