/** The customer's sessions. Each other session, or all others together, can be ended after a confirmation. */
import { useRef, useState } from 'react';
import type { ActiveSession } from '#contract/entities.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import { LoadFailed } from '#web/bank/LoadFailed.tsx';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { useActs } from '#web/base/useActs.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { sectionTitle } from '#web/ui/sectionTitle.ts';
import { EndSessionDialog } from './EndSessionDialog.tsx';
import { SessionRow } from './SessionRow.tsx';
import { useListSessionsQuery } from './settingsCalls.ts';
import { words } from './words.ts';
import './SessionList.css';

const texts = words.sessions;

export function SessionList() {
  const sessions = useListSessionsQuery(undefined, pollingOptions);
  const { data, isError, refetch } = sessions;
  const acts = useActs(sessions, errorMessages.fault);
  const list = useRef<HTMLUListElement>(null);
  const [ending, setEnding] = useState<ActiveSession | 'others'>();
  if (!data) {
    return isError ? (
      <LoadFailed title={texts.failed} onRetry={refetch} />
    ) : (
      <Skeleton kind="rows" count={2} label={texts.loading} />
    );
  }
  const alone = data.sessions.every(session => session.isCurrent);
  return (
    <>
      <ul ref={list} className="SessionList" aria-label={settingsMessages.sessions}>
        {data.sessions.map(session => (
          <SessionRow key={session._id} session={session} onEnd={() => setEnding(session)} />
        ))}
      </ul>
      {alone ? (
        <p className="SessionList-end type-small">{texts.alone}</p>
      ) : (
        <Button className="SessionList-end" kind="quiet" icon="logout" onClick={() => setEnding('others')}>
          {texts.endOthers}
        </Button>
      )}
      {acts.isUnknown && <Banner className="SessionList-failed" kind="warning" title={acts.failed} />}
      <EndSessionDialog
        acts={acts}
        ending={ending}
        title={sectionTitle(list)}
        onClose={() => setEnding(undefined)}
      />
    </>
  );
}
