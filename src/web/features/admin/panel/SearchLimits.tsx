/**
 * A note above the results of a search over all transactions. It says that there are more matches than listed, and how far
 * back the search is complete.
 */

import { dayAndTime } from '#contract/bankTime.ts';
import { formatCount } from '#contract/count.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import { fill } from '#contract/messages/fill.ts';
import { Banner } from '#web/ui/Banner.tsx';
import type { TransactionsPage } from '../adminCalls.ts';
import './SearchLimits.css';

export type SearchLimitsProps = Pick<TransactionsPage, 'isCut' | 'completeSince' | 'totalTransactions'>;

export function SearchLimits({ isCut, completeSince, totalTransactions }: SearchLimitsProps) {
  return (
    <>
      {isCut && (
        <Banner
          kind="info"
          className="SearchLimits"
          title={fill(adminMessages.searchCut, { n: formatCount(totalTransactions) })}
        >
          {adminMessages.searchNarrower}
        </Banner>
      )}
      {completeSince && (
        <Banner
          kind="warning"
          className="SearchLimits"
          title={fill(adminMessages.searchIncomplete, { time: dayAndTime(completeSince) })}
        >
          {adminMessages.searchNarrower}
        </Banner>
      )}
    </>
  );
}
