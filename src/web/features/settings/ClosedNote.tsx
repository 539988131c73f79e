/** Under a form that a frozen customer cannot send: why, and whom to ask. */
import { Link } from 'react-router';
import { messages } from '#contract/messages.ts';
import { aboutFrozenAccount } from '#web/base/helpDesk.ts';
import { Icon } from '#web/ui/Icon.tsx';
import { words } from './words.ts';
import './ClosedNote.css';

export function ClosedNote() {
  return (
    <p className="ClosedNote">
      <Icon name="lock" size={16} />
      <span>
        {words.closed}{' '}
        <Link className="link" to={aboutFrozenAccount}>
          {messages.nav.helpDesk}
        </Link>
      </span>
    </p>
  );
}
