/**
 * What an unapproved customer sees instead of the banking screens, with the useful steps next to it: date of birth and city,
 * and the ID document. A customer who is approved while typing, or before a chosen picture is uploaded, keeps both until they
 * are given up, or sent and the result is read.
 */
import { useEffect, useLayoutEffect } from 'react';
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
import { Button } from '#web/ui/Button.tsx';
import { NightSheet } from '#web/ui/NightSheet.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { IdWantedBanner } from './IdWantedBanner.tsx';
import { words } from './words.ts';
import './PendingNotice.css';

export type PendingNoticeProps = {
  approved: boolean;
  /** Called with whether the notice must stay: something is not sent yet, or the result is not read yet. */
  onEdited: (isEdited: boolean) => void;
};

export function PendingNotice({ approved, onEdited }: PendingNoticeProps) {
  const idDocument = useIdDocument();
  const { isEdited, isComplete, ...identity } = useIdentityForm();
  const { request, message, isUnknown } = useAppSelector(selectSettings);
  const isFrozen = useAppSelector(selectCustomer)?.isFrozen;
  const dispatch = useAppDispatch();
  useEffect(() => () => void dispatch(settingsReset()), [dispatch]);
  // While the account is frozen, the only result is that of unfreezing. The banner of the freeze shows it, not this notice.
  useEffect(() => (isFrozen ? () => void dispatch(settingsReset()) : undefined), [dispatch, isFrozen]);
  // A picture that cannot be uploaded is not worth keeping.
  const hasPicture = idDocument.upload.file !== null && !idDocument.upload.problem;
  const hasUnsent = isEdited || hasPicture;
  const isSavedNow = approved && request === 'success';
  const mustStay = hasUnsent || identity.busy || isSavedNow;
  const title = approved ? words.yourDetails : words.whileWaiting;
  // In a layout effect, so that an approval that arrives right after a key press doesn't replace the form.
  useLayoutEffect(() => {
    onEdited(mustStay);
    return () => onEdited(false);
  }, [mustStay, onEdited]);
  return (
    <div className="PendingNotice">
      {approved ? (
        <Banner
          kind="success"
          title={words.approvedEditing}
          action={
            <Button kind="quiet" size="s" onClick={() => onEdited(false)}>
              {words.toAccount}
            </Button>
          }
        >
          {hasPicture
            ? words.approvedUnsent[isEdited ? 'both' : 'picture']
            : isEdited && words.approvedUnsent.details}
        </Banner>
      ) : (
        (idDocument.state === 'requested' || (idDocument.state === 'none' && idDocument.reason)) && (
          <IdWantedBanner
            which={idDocument.state === 'none' ? 'first' : 'better'}
            action={
              <a className="link" href="#id-document">
                {words.toUpload}
              </a>
            }
          />
        )
      )}
      {!approved && (
        <NightSheet label={dashboardMessages.pendingTitle}>
          <h1 className="type-title">{dashboardMessages.pendingTitle}</h1>
          <p>{dashboardMessages.pendingText}</p>
          <p className="PendingNotice-hint">{words.reviewHint}</p>
        </NightSheet>
      )}
      <Panel label={title}>
        <h2 className="type-head">{title}</h2>
        {(idDocument.state === 'none' || !isComplete) && (
          <p className="type-note">{words.whileWaitingText}</p>
        )}
        {!isFrozen && (request === 'success' || request === 'error') && (
          <Banner
            className="PendingNotice-result"
            kind={isUnknown ? 'warning' : request}
            title={message}
            dismiss={{ label: appMessages.dismiss, onPress: () => dispatch(settingsReset()) }}
          />
        )}
        <IdentityForm {...identity} />
        <div id="id-document">
          <IdDocument {...idDocument} />
        </div>
        <LeaveGuard when={hasUnsent} />
      </Panel>
    </div>
  );
}
