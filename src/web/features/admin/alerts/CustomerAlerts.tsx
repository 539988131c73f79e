/** The newest 100 alerts about one customer. */
import * as alertsMessages from '#contract/messages/alerts.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { Panel } from '#web/ui/Panel.tsx';
import { ListFailed } from '../panel/ListFailed.tsx';
import { AlertTable } from './AlertTable.tsx';
import { useAlertsQuery } from './alertsCalls.ts';
import { alertWords as words } from './alertWords.ts';

export function CustomerAlerts({ id }: { id: string }) {
  const { currentData, error, refetch } = useAlertsQuery(
    { query: { customer: id, limit: 100 } },
    pollingOptions,
  );
  if (error && !currentData) return <ListFailed error={error} onRetry={refetch} />;
  return (
    <Panel pad={false} label={alertsMessages.alerts}>
      <AlertTable
        rows={currentData?.alerts ?? []}
        loading={!currentData}
        ofCustomer
        empty={{ title: words.none, text: words.noneOfCustomer }}
      />
    </Panel>
  );
}
