/**
 * The dialog in which staff approve a customer or verify the ID document, over the queue or the customer's page: both pictures
 * side by side, the facts, and the buttons. The ID can be verified once the document is on the screen.
 */
import { useState } from 'react';
import { adminApi } from '#contract/admin.ts';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import type { WaitingCustomer } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as appMessages from '#contract/messages/app.ts';
import { nameOf } from '#web/bank/transactionReading.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { useInView } from '#web/ui/useInView.ts';
import { useLastKnown } from '#web/ui/useLastKnown.ts';
import { useApplicationQuery, useApproveMutation, useVerifyIdMutation } from '../adminCalls.ts';
import { useRejectApplicationMutation, useRequestIdMutation } from '../customerCalls.ts';
import { applicationRefusalText, failureOf, isGone, isUnknown } from '../panel/actRefusalText.ts';
import { focusDialogAfter } from '../panel/focusDialog.ts';
import { ListFailed } from '../panel/ListFailed.tsx';
import { MixedName } from '../panel/MixedName.tsx';
import { ReasonDialog } from '../panel/ReasonDialog.tsx';
import { useMay } from '../panel/useRole.ts';
import { CustomerMatches } from '../screening/CustomerMatches.tsx';
import { useCustomerHits } from '../screening/screeningCalls.ts';
import { words } from '../words.ts';
import { ApplicationFacts } from './ApplicationFacts.tsx';
import { PictureView } from './PictureView.tsx';
import { asks, reviewWords } from './reviewWords.ts';
import { useGuardedPicture } from './useGuardedPicture.ts';
import './ApplicationReview.css';

export type Decision = 'approve' | 'verify';

type Reviewed = Pick<WaitingCustomer, '_id' | 'firstName' | 'lastName'>;

export type ApplicationReviewProps = {
  /** The customer to review; the dialog is open while it is set. */
  customer: Reviewed | undefined;
  /** The decision that ends the review. The other decision can be made without ending it. */
  decision: Decision;
  /** Called with the bank's message after `decision`, a rejection (`isErased`) or an ID request. Must move the focus. */
  onDecided: (message: string, isErased?: boolean) => void;
  onClose: () => void;
};

export function ApplicationReview({ customer, ...rest }: ApplicationReviewProps) {
  const shown = useLastKnown(customer);
  return shown ? <Review key={shown._id} customer={shown} isOpen={customer !== undefined} {...rest} /> : null;
}

type ReviewProps = Omit<ApplicationReviewProps, 'customer'> & { customer: Reviewed; isOpen: boolean };

function Review({ customer, isOpen, decision, onDecided, onClose }: ReviewProps) {
  const call = { params: { id: customer._id } };
  // A rejected application is erased, so it is not read again once the rejection is sent.
  const [isEnding, setEnding] = useState(false);
  const [isRejectionUnknown, setRejectionUnknown] = useState(false);
  const { data, error, refetch } = useApplicationQuery(call, { skip: !isOpen || isEnding });
  const isDeleted = isGone(error);
  const application = isDeleted ? undefined : data;
  const document = useGuardedPicture(isOpen ? application?.idCard?.url : undefined, application?.idCardAt);
  const [seen, setSeen] = useState<string>();
  const [approve, approving] = useApproveMutation();
  const [verify, verifying] = useVerifyIdMutation();
  const [outcome, setOutcome] = useState<{ message?: string; error?: unknown; made: Decision }>();
  const [isDecided, setDecided] = useState(false);
  const [reject] = useRejectApplicationMutation();
  const [requestId] = useRequestIdMutation();
  const hits = useCustomerHits(customer._id, isEnding);
  // The bank refuses to approve a customer with a match. If one is confirmed, staff can only reject.
  const isConfirmed = hits.some(({ state }) => state === 'match');
  const isUndecided = hits.some(({ state }) => state === 'open');
  const may = useMay();
  const [asking, setAsking] = useState<'reject' | 'request-id'>();
  /** Whether a document was requested already when the question was opened. */
  const [wasRequested, setWasRequested] = useState(false);
  const shownAsk = useLastKnown(asking) ?? 'reject';
  const name = nameOf(customer) ?? '';
  const question = asks[shownAsk === 'request-id' && !application?.idCard ? 'request-first' : shownAsk];
  const what = decision === 'verify' ? words.idDocument : words.applicationOf;

  const run = async (made: Decision) => {
    const body = { isIdRequested: application?.isIdRequested === true };
    const isProvenByReset = application?.isProvenByReset === true;
    const answer = await (made === 'approve'
      ? approve({ ...call, body: { ...body, isProvenByReset } })
      : verify({ ...call, body }));
    if (!answer.data || made !== decision) focusDialogAfter(answer);
    if (!answer.data) return setOutcome({ error: answer.error, made });
    if (made !== decision) return setOutcome({ message: answer.data.message, made });
    setDecided(true);
    onDecided(answer.data.message);
  };

  // Keeps the outcome in view: an approval refused because a document was requested succeeds at the second press.
  const place = useInView(outcome, application);

  // The application is read again after a lost answer, and shows whether the decision took effect. Without an outcome, someone
  // else decided after the list was read.
  const [isMade, before] =
    (outcome?.made ?? decision) === 'approve'
      ? [application?.isApproved, adminMessages.approvedBefore]
      : [application?.isVerified, adminMessages.verifiedBefore];
  const reached = outcome?.message ?? (isMade ? before : undefined);

  // A verified document says nothing about who uses the account if the password was reset before the first login.
  const isSettled = application?.isVerified && !application.isProvenByReset;

  // An act took effect although its answer was lost, or a colleague acted.
  const isApproved = shownAsk === 'reject' && application?.isApproved;
  // A document can be requested again, but not by repeating a press.
  const isRequested = shownAsk === 'request-id' && !wasRequested && application?.isIdRequested;
  const isVerified = shownAsk === 'request-id' && isSettled;
  const over = isDeleted
    ? [words.applicationGone, isRejectionUnknown && words.rejectionMailed].filter(Boolean).join(' ')
    : (isApproved && adminMessages.approvedBefore) ||
      (isVerified && adminMessages.verifiedBefore) ||
      (isRequested && words.idAskedSince);

  const askForDocument = () => {
    setWasRequested(application?.isIdRequested === true);
    setAsking('request-id');
  };

  return (
    <Dialog
      open={isOpen}
      onClose={onClose}
      size="xl"
      className="ApplicationReview"
      title={isDeleted ? what : `${what}: ${name}`}
      finalFocus={isDecided ? () => false : undefined}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            {appMessages.close}
          </Button>
          {application && !application.isApproved && may(adminCustomersApi.rejectApplication) && (
            <Button kind={isConfirmed ? 'danger' : 'quiet'} onClick={() => setAsking('reject')}>
              {words.reject}
            </Button>
          )}
          {application && !isSettled && may(adminCustomersApi.requestId) && (
            <Button kind="quiet" onClick={askForDocument}>
              {application.idCard ? words.askForDocument : words.askForFirst}
            </Button>
          )}
          {application?.idCard && !application.isVerified && may(adminApi.verifyId) && (
            <Button
              kind={decision === 'verify' ? 'primary' : 'quiet'}
              aria-label={words.verifyName(name)}
              disabled={!document.src || seen !== document.src}
              busy={verifying.isLoading}
              onClick={() => void run('verify')}
            >
              {words.verifyId}
            </Button>
          )}
          {application && !application.isApproved && !isConfirmed && may(adminApi.approve) && (
            <Button
              kind={decision === 'approve' ? 'primary' : 'quiet'}
              aria-label={words.approveName(name)}
              disabled={isUndecided}
              busy={approving.isLoading}
              onClick={() => void run('approve')}
            >
              {adminMessages.approve}
            </Button>
          )}
        </>
      }
    >
      {isDeleted ? (
        <EmptyState title={words.customerGone}>{words.customerGoneText}</EmptyState>
      ) : application ? (
        <>
          <div className="ApplicationReview-pictures">
            <PictureView label={words.profilePicture} src={application.avatar.url || undefined}>
              {words.noPicture}
            </PictureView>
            <PictureView label={words.idDocument} src={document.src} onLoad={() => setSeen(document.src)}>
              {!application.idCard
                ? words.noIdUploaded
                : document.failed
                  ? words.pictureFailed
                  : appMessages.pleaseWait}
            </PictureView>
          </div>
          {application.isFrozen && (
            <Banner
              kind="info"
              icon="lock"
              className="ApplicationReview-matches"
              title={
                application.isFrozenByCustomer
                  ? words.frozenByCustomer(application.isFrozenByStaff)
                  : words.frozen
              }
            >
              {application.frozenReason}
            </Banner>
          )}
          {application.isIdRequested && (
            <Banner kind="warning" icon="clock" className="ApplicationReview-matches" title={words.idAsked}>
              {application.idRequest}
            </Banner>
          )}
          {application.isProvenByReset && (
            <Banner
              kind="warning"
              icon="alert"
              className="ApplicationReview-matches"
              title={words.emailProvenByReset}
            >
              {application.isApproved ? reviewWords.callChanged : reviewWords.callFirst}
            </Banner>
          )}
          <MixedName
            parts={[application.firstName, application.middleName, application.lastName]}
            className="ApplicationReview-matches"
          />
          <CustomerMatches
            hits={hits}
            isApproved={application.isApproved}
            frozen={application}
            className="ApplicationReview-matches"
          />
          <ApplicationFacts application={application} className="ApplicationReview-facts" />
        </>
      ) : error ? (
        <ListFailed error={error} onRetry={refetch} />
      ) : (
        <Skeleton kind="text" count={9} className="ApplicationReview-wait" label={words.loadingApplication} />
      )}
      {!outcome && isMade && !isDecided && (
        <Banner kind="info" className="ApplicationReview-message" title={before} />
      )}
      {outcome && (
        <div ref={place} className="ApplicationReview-message">
          <Banner
            kind={reached ? 'success' : isUnknown(outcome.error) ? 'warning' : 'error'}
            title={reached ?? applicationRefusalText(outcome.error)}
          />
        </div>
      )}
      <ReasonDialog
        open={asking !== undefined}
        {...question}
        title={question.title(name)}
        hint={shownAsk === 'reject' ? words.customerHint : words.descriptionHint}
        kind={shownAsk === 'reject' ? 'danger' : 'primary'}
        over={asking && over}
        onConfirm={async reason => {
          setEnding(shownAsk === 'reject');
          const answer = await (shownAsk === 'reject'
            ? reject({ ...call, body: { reason } })
            : requestId({ ...call, body: { reason, isIdRequested: wasRequested } }));
          if (!answer.data) setEnding(false);
          if (shownAsk === 'reject' && isUnknown(answer.error)) setRejectionUnknown(true);
          if (!answer.data) return failureOf(answer.error, applicationRefusalText(answer.error));
          setAsking(undefined);
          setDecided(true);
          onDecided(answer.data.message, shownAsk === 'reject');
          return undefined;
        }}
        onClose={() => setAsking(undefined)}
      >
        {question.text}
      </ReasonDialog>
    </Dialog>
  );
}
