/** The staff's queue of alerts: by default the open ones, others by state. */
import { useState } from 'react';
import { alertStates } from '#contract/alerts.ts';
import * as alertsMessages from '#contract/messages/alerts.ts';
import { useSearchParams } from '#web/router/hooks.ts';
import { pollingOptions } from '../adminCalls.ts';
import { DoneLine } from '../panel/DoneLine.tsx';
import { PagedPanel } from '../panel/PagedPanel.tsx';
import { ViewFilter } from '../panel/ViewFilter.tsx';
import { ViewHead, type ViewProps } from '../panel/ViewHead.tsx';
import { pageFromAddress, viewAddress } from '../panel/viewAddress.ts';
import { AlertTable } from './AlertTable.tsx';
import { openAlerts, useAlertsQuery } from './alertsCalls.ts';
import { alertWords as words } from './alertWords.ts';

const byDefault = 'open';

export function AlertsView({ menu }: ViewProps) {
  const [address, setAddress] = useSearchParams();
  const page = pageFromAddress(address);
  const wanted = address.get('state') ?? byDefault;
  const status = alertStates.find(name => name === wanted);
  const list = useAlertsQuery(
    status === byDefault && page === 1 ? openAlerts : { query: { page, ...(status && { status }) } },
    pollingOptions,
  );
  const { data, currentData, isFetching } = list;
  const [done, setDone] = useState('');
  const search = (state: string, at = 1) =>
    viewAddress('alerts', at, state === byDefault ? [] : [['state', state]]).search;
  return (
    <>
      <ViewHead menu={menu} title={alertsMessages.alerts}>
        <DoneLine text={done} />
        <ViewFilter
          label={words.filter}
          value={status ?? 'all'}
          onChange={state => setAddress(search(state), { replace: true })}
          options={[
            ...alertStates.map(value => ({ value, label: alertsMessages.states[value] })),
            { value: 'all', label: words.all },
          ]}
        />
      </ViewHead>
      <PagedPanel
        label={alertsMessages.alerts}
        list={list}
        page={page}
        onPage={next => setAddress(search(wanted, next))}
        countOf={data => data.totalAlerts}
        footer={words.footer}
      >
        <AlertTable
          rows={data?.alerts ?? []}
          loading={isFetching && !currentData}
          empty={{ title: status === byDefault ? words.noneOpen : words.none, text: words.noneText }}
          onDone={setDone}
        />
      </PagedPanel>
    </>
  );
}
