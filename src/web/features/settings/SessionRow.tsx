/** One active session: its device and IP address, when it began and was last used, and a button to end it. */
import { dayAndTime } from '#contract/bankTime.ts';
import type { ActiveSession } from '#contract/entities.ts';
import { fill } from '#contract/messages/fill.ts';
import { DeviceRow } from '#web/bank/DeviceRow.tsx';
import { Badge } from '#web/ui/Badge.tsx';
import { Button } from '#web/ui/Button.tsx';
import { words } from './words.ts';

export type SessionRowProps = { session: ActiveSession; onEnd: () => void };

const texts = words.sessions;

export function SessionRow({ session, onEnd }: SessionRowProps) {
  const { device, address, startedAt, lastSeenAt, isCurrent } = session;
  return (
    <DeviceRow
      icon={/phone|android|ipad|ios/i.test(device) ? 'mobile' : 'system'}
      name={device}
      badge={isCurrent && <Badge kind="verified">{texts.current}</Badge>}
      facts={
        <>
          <span className="num">{address}</span>
          <span>{fill(texts.loggedIn, { when: dayAndTime(startedAt) })}</span>
          <span>{fill(texts.lastSeen, { when: dayAndTime(lastSeenAt) })}</span>
        </>
      }
    >
      {!isCurrent && (
        <Button kind="quiet" size="s" aria-label={fill(texts.endNamed, { device })} onClick={onEnd}>
          {texts.end}
        </Button>
      )}
    </DeviceRow>
  );
}
