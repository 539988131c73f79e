/** Customers whose ID has not been checked, with its picture if one was uploaded. */
import * as adminMessages from '#contract/messages/admin.ts';
import { nameOf } from '#web/bank/transactionReading.ts';
import { useUnverifiedIdsQuery, useVerifyIdMutation } from '../adminCalls.ts';
import { IdCardLink } from '../panel/IdCardLink.tsx';
import { Moment } from '../panel/Moment.tsx';
import type { ViewProps } from '../panel/ViewHead.tsx';
import { words } from '../words.ts';
import { WaitingCustomers } from './WaitingCustomers.tsx';

export function IdVerificationsView({ menu }: ViewProps) {
  const list = useUnverifiedIdsQuery();
  const [verify] = useVerifyIdMutation();
  return (
    <WaitingCustomers
      menu={menu}
      title={adminMessages.idVerifications}
      list={list}
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
          cell: row => (
            <span className="type-small">
              <Moment iso={row.createdAt} />
            </span>
          ),
        },
      ]}
      step={{
        label: words.verifyId,
        describe: words.verifyName,
        waitsFor: row => (row.idCard ? undefined : words.nothingToVerify(nameOf(row) ?? '')),
        run: id => verify({ params: { id } }),
        failed: words.verifyFailed,
      }}
      loadingLabel={adminMessages.loadingUnverified}
      none={{ title: adminMessages.noUnverified, text: words.noUnverifiedText }}
    />
  );
}
