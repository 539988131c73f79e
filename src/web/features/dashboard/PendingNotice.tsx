/**
 * What an unapproved customer sees instead of the banking screens, with the useful steps next to it: date of birth and city,
 * and the ID document.
 */
import { useEffect } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import * as dashboardMessages from '#contract/messages/dashboard.ts';
import { IdDocument } from '#web/bank/IdDocument.tsx';
import { IdentityForm } from '#web/bank/IdentityForm.tsx';
import { LeaveGuard } from '#web/bank/LeaveGuard.tsx';
import { selectCustomer } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { useIdDocument } from '#web/features/settings/idDocumentCalls.ts';
import { useIdentityForm } from '#web/features/settings/identityCalls.ts';
import { selectSettings, settingsReset } from '#web/features/settings/settingsSlice.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { NightSheet } from '#web/ui/NightSheet.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { words } from './words.ts';
import './PendingNotice.css';

export function PendingNotice() {
  const idDocument = useIdDocument();
  const { isEdited, isComplete, ...identity } = useIdentityForm();
  const { request, message } = useAppSelector(selectSettings);
  const isFrozen = useAppSelector(selectCustomer)?.isFrozen;
  const dispatch = useAppDispatch();
  useEffect(() => () => void dispatch(settingsReset()), [dispatch]);
  // A result during a freeze is that of unfreezing, which the banner of the freeze shows.
  useEffect(() => (isFrozen ? () => void dispatch(settingsReset()) : undefined), [dispatch, isFrozen]);
  return (
    <div className="PendingNotice">
      <NightSheet label={dashboardMessages.pendingTitle}>
        <h1 className="type-title">{dashboardMessages.pendingTitle}</h1>
        <p>{dashboardMessages.pendingText}</p>
        <p className="PendingNotice-hint">{words.reviewHint}</p>
      </NightSheet>
      <Panel label={words.whileWaiting}>
        <h2 className="type-head">{words.whileWaiting}</h2>
        {(idDocument.state === 'none' || !isComplete) && (
          <p className="type-note">{words.whileWaitingText}</p>
        )}
        {!isFrozen && (request === 'success' || request === 'error') && (
          <Banner
            kind={request}
            title={message}
            dismiss={{ label: appMessages.dismiss, onPress: () => dispatch(settingsReset()) }}
          />
        )}
        <IdentityForm {...identity} />
        <IdDocument {...idDocument} />
        <LeaveGuard when={isEdited} />
      </Panel>
    </div>
  );
}
