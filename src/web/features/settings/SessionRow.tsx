/** One active session: the device, the location, the time of the login, and a button to end it. */
import { dayAndTime } from '#contract/bankTime.ts';
import type { ActiveSession } from '#contract/entities.ts';
import { fill } from '#contract/messages/fill.ts';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Icon } from '#web/ui/Icon.tsx';
import { words } from './words.ts';
import './SessionRow.css';

export type SessionRowProps = { session: ActiveSession; onEnd: () => void };

const texts = words.sessions;

export function SessionRow({ session, onEnd }: SessionRowProps) {
  const { device, address, startedAt, lastSeenAt, isCurrent } = session;
  return (
    <li className="SessionRow">
      <Icon name={/phone|android|ipad|ios/i.test(device) ? 'mobile' : 'system'} size={18} />
      <div>
        <p className="SessionRow-device">
          <b>{device}</b>
          {isCurrent && <Badge kind="verified">{texts.current}</Badge>}
        </p>
        <p className="SessionRow-facts">
          <span className="num">{address}</span>
          <span>{fill(texts.signedIn, { when: dayAndTime(startedAt) })}</span>
          <span>{fill(texts.lastSeen, { when: dayAndTime(lastSeenAt) })}</span>
        </p>
      </div>
      {!isCurrent && (
        <Button kind="quiet" size="s" aria-label={fill(texts.endNamed, { device })} onClick={onEnd}>
          {texts.end}
        </Button>
      )}
    </li>
  );
}
