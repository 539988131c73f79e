/**
 * The list of everything that the panel can open, in a dialog: views, acts, saved filters, and customers by name, email,
 * account, phone or street. Typing narrows it; the arrow keys and Enter choose. Loaded after the panel.
 */
import { Autocomplete } from '@base-ui/react/autocomplete';
import { useEffect, useRef, useState } from 'react';
import { formatAccountNumber } from '#contract/accountNumber.ts';
import { adminApi } from '#contract/admin.ts';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import { maxLength } from '#contract/constants.ts';
import { dayEndApi } from '#contract/dayEnd.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as navMessages from '#contract/messages/nav.ts';
import { screeningApi } from '#contract/screening.ts';
import { staffApi } from '#contract/staff.ts';
import { nameOf } from '#web/bank/transactionReading.ts';
import { logOutAdmin } from '#web/base/session.ts';
import { useAppDispatch } from '#web/base/store.ts';
import { useNavigate } from '#web/router/hooks.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { Icon, type IconName } from '#web/ui/Icon.tsx';
import { IconButton } from '#web/ui/IconButton.tsx';
import { useCustomersQuery } from '../customerCalls.ts';
import { words } from '../words.ts';
import { accountKey, listedViews, viewByKey, type Waiting } from './adminViews.ts';
import { useSavedFilters, viewOf } from './savedFilters.ts';
import { useMay } from './useRole.ts';
import { useSettled } from './useSettled.ts';
import { viewTitleId } from './ViewHead.tsx';
import { customerPageAddress, viewAddress } from './viewAddress.ts';
import './CommandList.css';

export type CommandListProps = { open: boolean; waiting: Waiting; onClose: () => void };

type Command = {
  key: string;
  label: string;
  detail?: string | undefined;
  icon: IconName;
  /** Where the command leads. Without it, `run` is called. */
  to?: { search: string };
  run?: () => void;
};
type Group = { value: string; items: Command[] };

/** The lists with a button that saves them as a file. */
const exports = [
  { view: 'users', label: words.commandExportUsers, call: adminCustomersApi.exportCustomers },
  {
    view: 'transactions',
    label: words.commandExportTransactions,
    call: adminCustomersApi.exportAllTransactions,
  },
  { view: 'audit', label: words.commandExportAudit, call: adminCustomersApi.exportAudit },
] as const;

const searchRestMs = 250;
const shownCustomers = 5;
/** The title of the view that is open when the dialog closes. */
const viewTitle = {
  get current() {
    return document.getElementById(viewTitleId);
  },
};

export function CommandList({ open, waiting, onClose }: CommandListProps) {
  const [text, setText] = useState('');
  const [isDone, setDone] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const commands = useCommands(waiting);
  const typed = text.trim();
  const { customers, isSearching } = useFoundCustomers(open ? typed : '');
  useEffect(() => {
    if (!open) return;
    setText('');
    setDone(false);
  }, [open]);

  // Searches only the label, because the detail is the number of waiting items or the view of a filter.
  const isAsked = ({ label }: Command) =>
    typed
      .toLowerCase()
      .split(/\s+/)
      .every(word => label.toLowerCase().includes(word));
  const groups = [
    ...commands.map(group => ({ ...group, items: group.items.filter(isAsked) })),
    { value: words.customers, items: customers },
    { value: words.searches, items: typed === '' ? [] : [searchFor(typed)] },
  ].filter(({ items }) => items.length > 0);

  const choose = ({ to, run }: Command) => {
    setDone(true);
    onClose();
    if (to) void navigate(to);
    run?.();
  };

  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="m"
      className="CommandList"
      initialFocus={input}
      finalFocus={isDone ? viewTitle : undefined}
      title={words.commands}
      top={
        <IconButton className="CommandList-close" icon="close" label={appMessages.close} onClick={onClose} />
      }
    >
      <Autocomplete.Root
        open
        inline
        items={groups}
        filter={null}
        itemToStringValue={(item: Command) => item.label}
        autoHighlight="always"
        keepHighlight
        value={text}
        // Choosing an item must not put its label into the field.
        onValueChange={(next, { reason }) =>
          reason !== 'item-press' && setText(next.slice(0, maxLength.search))
        }
      >
        <span className="TextField TextField--icon">
          <Icon name="search" />
          <Autocomplete.Input
            ref={input}
            className="Input"
            aria-label={words.commandsLabel}
            placeholder={words.commandsLabel}
          />
        </span>
        <Autocomplete.Empty className="CommandList-none">
          {isSearching ? appMessages.pleaseWait : words.noCommands}
        </Autocomplete.Empty>
        <Autocomplete.List className="CommandList-items">
          {(group: Group) => (
            <Autocomplete.Group key={group.value} items={group.items}>
              <Autocomplete.GroupLabel className="CommandList-title">{group.value}</Autocomplete.GroupLabel>
              <Autocomplete.Collection>
                {(item: Command) => (
                  <Autocomplete.Item
                    key={item.key}
                    value={item}
                    className="CommandList-item"
                    onClick={() => choose(item)}
                  >
                    <Icon name={item.icon} />
                    <span>{item.label}</span>
                    {item.detail && <span className="CommandList-detail">{item.detail}</span>}
                  </Autocomplete.Item>
                )}
              </Autocomplete.Collection>
            </Autocomplete.Group>
          )}
        </Autocomplete.List>
      </Autocomplete.Root>
    </Dialog>
  );
}

/** The views and acts that this administrator's role allows, and the saved filters. */
function useCommands(waiting: Waiting): Group[] {
  const may = useMay();
  const dispatch = useAppDispatch();
  const { saved } = useSavedFilters();
  const views = listedViews(may, waiting);
  const count = (name: keyof Waiting | undefined) =>
    name && waiting[name] ? words.waitingCount(waiting[name]) : undefined;
  const acts: (Command & { isAllowed: boolean })[] = [
    {
      key: 'oldest',
      label: words.commandReview,
      icon: 'approve',
      to: viewAddress('approvals'),
      isAllowed: may(adminApi.approve),
    },
    {
      key: 'credit',
      label: words.commandCredit,
      icon: 'credit',
      to: viewAddress('credit'),
      isAllowed: may(adminApi.credit),
    },
    {
      key: 'sanctions',
      label: words.commandSanctions,
      icon: 'eye',
      to: viewAddress('screening'),
      isAllowed: waiting.screening !== undefined && may(screeningApi.screening),
    },
    {
      key: 'prove',
      label: words.commandProve,
      icon: 'calendar',
      to: viewAddress('day-end'),
      isAllowed: may(dayEndApi.startProof),
    },
    ...exports.map(({ view, label, call }) => ({
      key: `export ${view}`,
      label,
      icon: 'download' as const,
      to: viewAddress(view),
      isAllowed: may(call),
    })),
    {
      key: 'invite',
      label: words.commandInvite,
      icon: 'plus',
      to: viewAddress('staff'),
      isAllowed: may(staffApi.inviteMember),
    },
    {
      key: 'password',
      label: words.commandPassword,
      icon: 'lock',
      to: viewAddress(accountKey),
      isAllowed: true,
    },
    {
      key: 'logout',
      label: navMessages.logout,
      icon: 'logout',
      run: () => void dispatch(logOutAdmin()),
      isAllowed: true,
    },
  ];
  return [
    {
      value: words.views,
      items: views.map(view => ({
        key: view.key,
        label: view.label,
        detail: count(view.count),
        icon: view.icon,
        to: viewAddress(view.key),
      })),
    },
    {
      value: words.savedFilters,
      items: saved.map(filter => ({
        key: `filter ${viewOf(filter)} ${filter.name}`,
        label: filter.name,
        detail: viewByKey(viewOf(filter)).label,
        icon: 'filter',
        to: { search: filter.search },
      })),
    },
    { value: words.acts, items: acts.filter(({ isAllowed }) => isAllowed) },
  ];
}

/** Returns the first customers that match the text. */
function useFoundCustomers(text: string): { customers: Command[]; isSearching: boolean } {
  const search = useSettled(text, searchRestMs);
  const isOn = search.length > 1 && text.length > 1;
  const { currentData, isFetching } = useCustomersQuery(
    { query: { search, limit: shownCustomers } },
    { skip: !isOn },
  );
  const customers = isOn && search === text ? (currentData?.customers ?? []) : [];
  return {
    isSearching: isFetching || search !== text,
    customers: customers.map(customer => ({
      key: customer._id,
      label: nameOf(customer) ?? '',
      detail: `${customer.email}, ${formatAccountNumber(customer.accountNumber)}`,
      icon: 'person',
      to: customerPageAddress(customer._id),
    })),
  };
}

const searchFor = (text: string): Command => ({
  key: 'search',
  label: words.searchTransactionsFor(text),
  icon: 'search',
  to: viewAddress('transactions', 1, [['search', text]]),
});
