/** What the bank knows about the person: identity, contact details and documents, with the review of the application. */
import { useState } from 'react';
import type { Application, User } from '#contract/entities.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { nameOf } from '#web/bank/transactionReading.ts';
import { Button } from '#web/ui/Button.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Skeleton } from '#web/ui/Skeleton.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { useApplicationQuery } from '../adminCalls.ts';
import { DoneLine } from '../panel/DoneLine.tsx';
import { IdCardLink } from '../panel/IdCardLink.tsx';
import { ListFailed } from '../panel/ListFailed.tsx';
import { ApplicationFacts } from '../waiting/ApplicationFacts.tsx';
import { ApplicationReview } from '../waiting/ApplicationReview.tsx';
import { words } from '../words.ts';
import './CustomerProfile.css';

export function CustomerProfile({ user }: { user: User }) {
  const { currentData, error, refetch } = useApplicationQuery({ params: { id: user._id } });
  const [reviewed, setReviewed] = useState(false);
  const [done, setDone] = useState('');
  if (!currentData) {
    return error ? (
      <ListFailed error={error} onRetry={refetch} />
    ) : (
      <Panel>
        <Skeleton kind="text" count={9} label={words.loadingCustomer} />
      </Panel>
    );
  }
  const { isApproved, isVerified } = currentData;
  return (
    <div className="CustomerProfile">
      <Panel label={words.identity}>
        <h2 className="type-head">{words.identity}</h2>
        <ApplicationFacts application={currentData} className="CustomerProfile-facts" />
      </Panel>
      <Panel label={words.documents}>
        <h2 className="type-head">{words.documents}</h2>
        <Documents user={user} application={currentData} />
        <DoneLine text={done} />
        {(!isApproved || !isVerified) && (
          <Button onClick={() => setReviewed(true)}>{words.reviewApplication}</Button>
        )}
      </Panel>
      <ApplicationReview
        customer={reviewed ? user : undefined}
        decision={isApproved ? 'verify' : 'approve'}
        onDecided={message => {
          setReviewed(false);
          setDone(message);
        }}
        onClose={() => setReviewed(false)}
      />
    </div>
  );
}

function Documents({ user, application }: { user: User; application: Application }) {
  const { idCard, isVerified } = application;
  return (
    <Slip
      className="CustomerProfile-facts"
      rows={[
        {
          label: words.idDocument,
          value: idCard ? <IdCardLink name={nameOf(user) ?? ''} url={idCard.url} /> : adminMessages.noId,
        },
        ...(idCard ? [{ label: words.status, value: isVerified ? words.verified : words.idToReview }] : []),
      ]}
    />
  );
}
