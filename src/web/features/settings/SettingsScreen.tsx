/** The customer's settings in tabs. The URL names the selected tab, so that a reload keeps it. */
import { useCallback, useEffect, useState } from 'react';
import * as navMessages from '#contract/messages/nav.ts';
import * as preferencesMessages from '#contract/messages/preferences.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import { LeaveGuard } from '#web/bank/LeaveGuard.tsx';
import { selectCustomer } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { useSearchParams } from '#web/router/hooks.ts';
import { TabSet } from '#web/ui/TabSet.tsx';
import { DeletionTab } from './DeletionTab.tsx';
import { NotificationsTab } from './NotificationsTab.tsx';
import { ProfileTab } from './ProfileTab.tsx';
import { SecurityTab } from './SecurityTab.tsx';
import { SettingsNotice } from './SettingsNotice.tsx';
import { settingsReset } from './settingsSlice.ts';
import './SettingsScreen.css';

type Tab = 'profile' | 'security' | 'notifications' | 'delete';
const noForms: ReadonlySet<string> = new Set();

export function SettingsScreen() {
  const approved = useAppSelector(selectCustomer)?.isApproved;
  const [search, setSearch] = useSearchParams();
  const dispatch = useAppDispatch();
  useEffect(() => {
    dispatch(settingsReset());
    return () => void dispatch(settingsReset());
  }, [dispatch]);

  const [edited, setEdited] = useState(noForms);
  const onEdited = useCallback((form: string, isEdited: boolean) => {
    setEdited(before => {
      if (before.has(form) === isEdited) return before;
      return new Set(isEdited ? [...before, form] : [...before].filter(name => name !== form));
    });
  }, []);

  const tabs = [
    { value: 'profile', label: settingsMessages.profileTab, content: <ProfileTab onEdited={onEdited} /> },
    { value: 'security', label: settingsMessages.securityTab, content: <SecurityTab onEdited={onEdited} /> },
    {
      value: 'notifications',
      label: preferencesMessages.preferences,
      content: <NotificationsTab onEdited={onEdited} />,
    },
    { value: 'delete', label: settingsMessages.deleteAccount, content: <DeletionTab /> },
  ] as const;
  // Only an approved customer has transfers to be notified of, and can delete the account.
  const available = tabs.filter(({ value }) => approved || value === 'profile' || value === 'security');
  const { value } = available.find(tab => tab.value === search.get('tab')) ?? tabs[0];
  const choose = (chosen: Tab) => {
    dispatch(settingsReset());
    setSearch(chosen === 'profile' ? {} : { tab: chosen }, { replace: true, preventScrollReset: true });
  };
  return (
    <>
      <h1 className="type-title">{navMessages.settings}</h1>
      <SettingsNotice />
      <TabSet
        className="SettingsScreen-tabs"
        label={navMessages.settings}
        value={value}
        onChange={choose}
        tabs={available}
        manual={edited.size > 0}
      />
      <LeaveGuard when={edited.size > 0} orTab />
    </>
  );
}
