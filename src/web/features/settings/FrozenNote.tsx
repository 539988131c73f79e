/** Shown under a form that a frozen customer cannot submit: the reason, and where to get help. */
import { LockNote } from '#web/ui/LockNote.tsx';
import { useFrozenHelp } from './limitsCalls.ts';
import { words } from './words.ts';
import './FrozenNote.css';

export function FrozenNote({ below, text = words.frozen }: { below?: boolean; text?: string }) {
  return (
    <LockNote className={below ? 'FrozenNote--below' : undefined} {...useFrozenHelp()}>
      {text}
    </LockNote>
  );
}
