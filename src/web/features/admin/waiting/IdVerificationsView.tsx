/** Customers whose ID is not verified, those with a document first. 'Verify ID' opens the document to decide on. */
import { adminApi } from '#contract/admin.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { nameOf } from '#web/bank/transactionReading.ts';
import { useVerificationQueueQuery } from '../adminCalls.ts';
import { IdCardLink } from '../panel/IdCardLink.tsx';
import { Moment } from '../panel/Moment.tsx';
import type { ViewProps } from '../panel/ViewHead.tsx';
import { words } from '../words.ts';
import { QueueView } from './QueueView.tsx';

export function IdVerificationsView({ menu }: ViewProps) {
  return (
    <QueueView
      menu={menu}
      view="verifications"
      title={adminMessages.idVerifications}
      useQueue={useVerificationQueueQuery}
      columns={[
        {
          key: 'idCard',
          head: words.idCard,
          cell: row =>
            row.idCard ? (
              <IdCardLink name={nameOf(row) ?? ''} url={row.idCard.url} />
            ) : (
              <span className="type-small">{words.noIdUploaded}</span>
            ),
        },
        {
          key: 'submitted',
          head: words.submittedDate,
          cell: row => <Moment small iso={row.waitingSince} />,
        },
      ]}
      decision="verify"
      buttons={[
        {
          label: words.review,
          describe: words.reviewName,
          // With a document, 'Verify ID' opens the review.
          isFor: row => !row.idCard,
          does: 'review',
          call: adminApi.application,
        },
        {
          label: words.verifyId,
          describe: words.verifyName,
          waitsFor: row => (row.idCard ? undefined : words.nothingToVerify(nameOf(row) ?? '')),
          does: 'review',
          call: adminApi.verifyId,
        },
      ]}
      failed={words.verifyFailed}
      unknown={words.verifyUnknown}
      loadingLabel={adminMessages.loadingUnverified}
      none={{ title: adminMessages.noUnverified, text: words.noUnverifiedText }}
    />
  );
}
