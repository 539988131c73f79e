/** The staff's alert queue: the open alerts, or those in a chosen state. */
import { useState } from 'react';
import { alertStates } from '#contract/alerts.ts';
import * as alertsMessages from '#contract/messages/alerts.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { Link } from '#web/router/Link.tsx';
import { DoneLine } from '../panel/DoneLine.tsx';
import { PagedPanel } from '../panel/PagedPanel.tsx';
import { useShownList } from '../panel/useShownList.ts';
import { ViewFilter } from '../panel/ViewFilter.tsx';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { viewAddress } from '../panel/viewAddress.ts';
import { AlertTable } from './AlertTable.tsx';
import { openAlerts, useAlertsQuery } from './alertsCalls.ts';
import { alertWords as words } from './alertWords.ts';

const lists = [...alertStates, 'all'] as const;

export function AlertsView({ menu }: ViewProps) {
  const { shown, page, show, showPage } = useShownList('alerts', 'state', lists);
  const list = useAlertsQuery(
    shown === 'open' && page === 1
      ? openAlerts
      : { query: { page, ...(shown !== 'all' && { status: shown }) } },
    pollingOptions,
  );
  const { data, currentData, isFetching } = list;
  const [done, setDone] = useState('');
  return (
    <>
      <ViewHead menu={menu} title={alertsMessages.alerts}>
        <DoneLine text={done === alertsMessages.assigned && shown === 'open' ? <Assigned /> : done} />
        <ViewFilter
          label={words.filter}
          value={shown}
          onChange={show}
          lists={lists}
          names={{ ...alertsMessages.states, all: words.all }}
        />
      </ViewHead>
      <PagedPanel
        label={alertsMessages.alerts}
        list={list}
        page={page}
        onPage={showPage}
        countOf={data => data.totalAlerts}
        footer={words.footer}
      >
        <AlertTable
          rows={data?.alerts ?? []}
          loading={isFetching && !currentData}
          empty={
            shown === 'open'
              ? { title: words.noneOpen, text: words.noneOpenText }
              : { title: words.none, text: words.noneText }
          }
          onDone={setDone}
        />
      </PagedPanel>
    </>
  );
}

/** The message after an alert was assigned. The alert leaves the list of open ones, so this links to the assigned ones. */
const Assigned = () => (
  <>
    {alertsMessages.assigned}{' '}
    <Link className="link" to={viewAddress('alerts', 1, [['state', 'assigned']])}>
      {words.viewAssigned}
    </Link>
  </>
);
