/** Customers waiting for approval. */
import { adminApi } from '#contract/admin.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { AccountNumber } from '#web/bank/AccountNumber.tsx';
import { mixedScripts } from '#web/bank/mixedScripts.ts';
import { nameOf } from '#web/bank/transactionReading.ts';
import { Link } from '#web/router/Link.tsx';
import { Icon } from '#web/ui/Icon.tsx';
import { useApprovalQueueQuery, useApproveMutation } from '../adminCalls.ts';
import { useMay } from '../panel/useRole.ts';
import type { ViewProps } from '../panel/ViewHead.tsx';
import { customerPageAddress } from '../panel/viewAddress.ts';
import { screeningWords } from '../screening/screeningWords.ts';
import { words } from '../words.ts';
import { QueueView } from './QueueView.tsx';
import { WaitingTime } from './WaitingTime.tsx';

export function ApprovalsView({ menu }: ViewProps) {
  const [approve] = useApproveMutation();
  const may = useMay();
  return (
    <QueueView
      menu={menu}
      view="approvals"
      title={adminMessages.approvals}
      useQueue={useApprovalQueueQuery}
      columns={[
        {
          key: 'account',
          head: words.accountNumber,
          cell: row => <AccountNumber small value={row.accountNumber} />,
        },
        {
          key: 'since',
          head: words.waitingSince,
          cell: row => (
            <WaitingTime since={row.waitingSince}>
              {row.isFrozen && <span>{words.frozen}</span>}
              {(row.isIdRequested || row.idCard === null) && (
                <span>{row.isIdRequested ? words.idAsked : words.noIdUploaded}</span>
              )}
              {row.isProvenByReset && <span>{words.emailProvenByReset}</span>}
              {mixedScripts(nameOf(row) ?? '') && <span>{words.mixedNameShort}</span>}
              {row.screening && (
                <>
                  <Link className="link" to={customerPageAddress(row._id)}>
                    <Icon name="shield" size={16} />
                    {screeningWords.rows[row.screening].label}
                  </Link>
                  {may(adminApi.approve) && <span>{screeningWords.rows[row.screening].why}</span>}
                </>
              )}
            </WaitingTime>
          ),
        },
      ]}
      decision="approve"
      inBulk
      buttons={[
        { label: words.review, describe: words.reviewName, does: 'review', call: adminApi.application },
        {
          label: adminMessages.approve,
          describe: words.approveName,
          waitsFor: row => row.screening && screeningWords.rows[row.screening].why,
          does: 'decide',
          call: adminApi.approve,
        },
      ]}
      decide={id => approve({ params: { id }, body: { isIdRequested: false, isProvenByReset: false } })}
      failed={words.approveFailed}
      unknown={words.approveUnknown}
      loadingLabel={adminMessages.loadingApprovals}
      none={{ title: adminMessages.noApprovals, text: words.noApprovalsText }}
    />
  );
}
