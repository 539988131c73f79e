/** Shown under a form that a frozen customer cannot submit: the reason, and where to get help. */
import { LockNote } from '#web/ui/LockNote.tsx';
import { useFrozenHelp } from './limitsCalls.ts';
import { words } from './words.ts';
import './ClosedNote.css';

export function ClosedNote({ below, text = words.closed }: { below?: boolean; text?: string }) {
  return (
    <LockNote className={below ? 'ClosedNote--below' : undefined} {...useFrozenHelp()}>
      {text}
    </LockNote>
  );
}
