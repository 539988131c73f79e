/** What the bank knows about the person: identity, contact details and documents, with the review of the application. */
import { useState } from 'react';
import type { CustomerRecord } from '#contract/adminCustomers.ts';
import { dayAndTime } from '#contract/bankTime.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { nameOf } from '#web/bank/transactionReading.ts';
import { Button } from '#web/ui/Button.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Slip } from '#web/ui/Slip.tsx';
import { DoneLine } from '../panel/DoneLine.tsx';
import { IdCardLink } from '../panel/IdCardLink.tsx';
import { ApplicationFacts } from '../waiting/ApplicationFacts.tsx';
import { ApplicationReview } from '../waiting/ApplicationReview.tsx';
import { words } from '../words.ts';
import './CustomerProfile.css';

export function CustomerProfile({ customer }: { customer: CustomerRecord }) {
  const [reviewed, setReviewed] = useState(false);
  const [done, setDone] = useState('');
  const { isApproved, isVerified, idCard, idRequest, document, joinedAt, lastLoginAt } = customer;
  return (
    <div className="CustomerProfile">
      <Panel label={words.identity}>
        <h2 className="type-head">{words.identity}</h2>
        <ApplicationFacts
          application={{ ...customer, registeredAt: joinedAt }}
          className="CustomerProfile-facts"
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
            { label: words.status, value: words.documentStates[document] },
            ...(idRequest
              ? [{ label: words.idAsked, value: `${idRequest.reason} (${dayAndTime(idRequest.at)})` }]
              : []),
            {
              label: words.lastLogin,
              value: lastLoginAt ? dayAndTime(lastLoginAt) : words.never,
            },
          ]}
        />
        <DoneLine text={done} />
        {(!isApproved || !isVerified) && (
          <Button onClick={() => setReviewed(true)}>{words.reviewApplication}</Button>
        )}
      </Panel>
      <ApplicationReview
        customer={reviewed ? customer : undefined}
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
