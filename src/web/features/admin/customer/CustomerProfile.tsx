/** What the bank knows about a customer: identity, account, documents and second factors; and the review of the application. */
import { useState } from 'react';
import { adminCustomersApi, type CustomerRecord } from '#contract/adminCustomers.ts';
import { dayAndTime } from '#contract/bankTime.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { Money } from '#web/bank/Money.tsx';
import { nameOf } from '#web/bank/transactionReading.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { Button } from '#web/ui/Button.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { useApplicationQuery } from '../adminCalls.ts';
import { useCustomerChangesQuery } from '../customerCalls.ts';
import { DoneLine } from '../panel/DoneLine.tsx';
import { IdCardLink } from '../panel/IdCardLink.tsx';
import { ListFailed } from '../panel/ListFailed.tsx';
import { useMay } from '../panel/useRole.ts';
import { type Notice, NoticeDialog } from '../users/NoticeDialog.tsx';
import { ApplicationFacts } from '../waiting/ApplicationFacts.tsx';
import { ApplicationReview } from '../waiting/ApplicationReview.tsx';
import { words } from '../words.ts';
import { ChangeDetailsDialog } from './ChangeDetailsDialog.tsx';
import { CustomerFactors } from './CustomerFactors.tsx';
import { detailWords } from './detailWords.ts';
import './CustomerProfile.css';

export type CustomerProfileProps = {
  customer: CustomerRecord;
  /** Called after a rejection, which erases the customer. */
  onRejected: (message: string) => void;
};

export function CustomerProfile({ customer, onRejected }: CustomerProfileProps) {
  const [reviewed, setReviewed] = useState(false);
  const [done, setDone] = useState('');
  const [changing, setChanging] = useState(false);
  const [changed, setChanged] = useState<Notice>();
  const may = useMay();
  // Verifying the ID also verifies the date of birth that the administrator last viewed, and only this call records its view.
  // The review shows the same data: while it is open, a poll must not replace the date that the administrator is comparing.
  const application = useApplicationQuery(
    { params: { id: customer._id } },
    { ...pollingOptions, skip: reviewed },
  );
  const {
    isApproved,
    isVerified,
    idCard,
    idRequest,
    document,
    lastLoginAt,
    inGoals = 0,
    dailyOut,
  } = customer;
  return (
    <div className="CustomerProfile">
      <Panel label={words.identity}>
        <h2 className="type-head">{words.identity}</h2>
        {application.data ? (
          <ApplicationFacts application={application.data} className="CustomerProfile-facts" />
        ) : application.error ? (
          <ListFailed error={application.error} onRetry={application.refetch} />
        ) : (
          <Skeleton
            kind="text"
            count={9}
            className="CustomerProfile-facts"
            label={words.loadingApplication}
          />
        )}
        <DoneLine text={changed?.kind === 'success' ? changed.message : ''} />
        {may(adminCustomersApi.changeCustomer) && (
          <Button kind="quiet" icon="edit" onClick={() => setChanging(true)}>
            {detailWords.open}
          </Button>
        )}
        <ChangesByStaff id={customer._id} />
        <ChangeDetailsDialog
          customer={customer}
          open={changing}
          onClose={() => setChanging(false)}
          onDone={notice => {
            setChanging(false);
            setChanged(notice);
          }}
        />
        <NoticeDialog
          notice={changed?.kind === 'waiting' ? changed : undefined}
          onClose={() => setChanged(undefined)}
        />
      </Panel>
      <div className="CustomerProfile-side">
        <Panel label={words.account}>
          <h2 className="type-head">{words.account}</h2>
          <Slip
            className="CustomerProfile-facts"
            rows={[
              { label: words.inGoals, value: <Money dollars={inGoals} /> },
              {
                label: words.dailyOut,
                value: dailyOut === undefined ? words.none : <Money dollars={dailyOut} />,
              },
              { label: words.lastLogin, value: lastLoginAt ? dayAndTime(lastLoginAt) : words.never },
            ]}
          />
        </Panel>
        <Panel label={words.documents}>
          <h2 className="type-head">{words.documents}</h2>
          <Slip
            className="CustomerProfile-facts"
            rows={[
              {
                label: words.idDocument,
                value: idCard ? (
                  <IdCardLink name={nameOf(customer) ?? ''} url={idCard.url} />
                ) : (
                  adminMessages.noId
                ),
              },
              { label: words.status, value: adminMessages.documentStates[document] },
              idRequest && {
                label: words.idAsked,
                value: `${idRequest.reason} (${dayAndTime(idRequest.at)})`,
              },
            ]}
          />
          <DoneLine text={done} />
          {(!isApproved || !isVerified || application.data?.isProvenByReset) && (
            <Button onClick={() => setReviewed(true)}>{words.reviewApplication}</Button>
          )}
        </Panel>
        <CustomerFactors customer={customer} />
      </div>
      <ApplicationReview
        customer={reviewed ? customer : undefined}
        decision={isApproved ? 'verify' : 'approve'}
        onDecided={(message, isErased) => {
          setReviewed(false);
          if (isErased) onRejected(message);
          else setDone(message);
        }}
        onClose={() => setReviewed(false)}
      />
    </div>
  );
}

/** The changes of name and email by the staff, with the values before and after; nothing if there are none. */
function ChangesByStaff({ id }: { id: string }) {
  const { currentData = [] } = useCustomerChangesQuery({ params: { id } });
  if (currentData.length === 0) return null;
  return (
    <>
      <h3 className="type-head CustomerProfile-changes">{detailWords.changes}</h3>
      <ol aria-label={detailWords.changes}>
        {currentData.map(({ _id, at, authorName, field, former, value, reason }) => (
          <li key={_id} className="CustomerProfile-change">
            <p>{detailWords.change(field, former, value)}</p>
            <p className="type-small">
              {authorName}, <time dateTime={at}>{dayAndTime(at)}</time>. {reason}
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}
