/** The component sheet's buttons, switches and navigation. */
import { useState } from 'react';
import * as appMessages from '#contract/messages/app.ts';
import * as navMessages from '#contract/messages/nav.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { pagerTexts } from '#web/bank/pagerTexts.ts';
import { Button } from '#web/ui/Button.tsx';
import { Icon, type IconName } from '#web/ui/Icon.tsx';
import { IconButton } from '#web/ui/IconButton.tsx';
import { iconPaths } from '#web/ui/iconPaths.ts';
import { Pager } from '#web/ui/Pager.tsx';
import { Segmented } from '#web/ui/Segmented.tsx';
import { Switch } from '#web/ui/Switch.tsx';
import { TabSet } from '#web/ui/TabSet.tsx';
import { Tabs } from '#web/ui/Tabs.tsx';
import { ThemeSwitch } from '#web/ui/ThemeSwitch.tsx';
import { Specimen } from './Specimen.tsx';
import { SpecimenLine } from './SpecimenLine.tsx';
import './ActionSpecimens.css';

const kinds = [
  { value: 'internal', label: transferMessages.internal },
  { value: 'external', label: transferMessages.external },
] as const;

export function ActionSpecimens() {
  const [kind, setKind] = useState<'internal' | 'external'>('internal');
  const [frozen, setFrozen] = useState(true);
  const [tab, setTab] = useState('profile');
  const [page, setPage] = useState(2);
  const icons = Object.keys(iconPaths) as IconName[];
  return (
    <>
      <Specimen name="Buttons">
        <SpecimenLine>
          <Button>{transferMessages.send}</Button>
          <Button icon="out">With icon</Button>
          <Button disabled>Disabled</Button>
          <Button busy busyLabel={transferMessages.processing}>
            {transferMessages.send}
          </Button>
          <Button kind="quiet">{appMessages.cancel}</Button>
          <Button kind="quiet" disabled>
            Disabled
          </Button>
          <Button kind="text">See all</Button>
          <Button kind="danger">Delete Account</Button>
          <Button kind="danger" busy busyLabel="Deleting...">
            Confirm Delete
          </Button>
        </SpecimenLine>
        <SpecimenLine>
          <Button kind="quiet" size="s" icon="copy">
            Copy
          </Button>
          <Button size="s">Approve</Button>
          <Button kind="text" size="s" to="/dev/components">
            A route
          </Button>
          <Button kind="quiet" href="#fields" icon="down">
            An anchor
          </Button>
          <IconButton icon="bell" label="Notifications, 3 unread" count={3} />
          <IconButton icon="bell" label="Notifications, 128 unread" count={128} />
          <IconButton icon="bell" label="Notifications" />
          <IconButton icon="eye" label="Show" disabled />
        </SpecimenLine>
      </Specimen>
      <Specimen name="Choice">
        <SpecimenLine>
          <div className="ActionSpecimens-choice">
            <Segmented legend="Kind of transfer" value={kind} onChange={setKind} options={kinds} />
          </div>
          <Switch
            tone="danger"
            checked={frozen}
            onChange={setFrozen}
            name="Freeze"
            label={frozen ? 'Frozen' : 'Active'}
          />
          <Switch checked={!frozen} onChange={on => setFrozen(!on)} label={frozen ? 'Off' : 'On'} />
          <Switch busy checked={false} onChange={setFrozen} label="Active" />
          <Switch disabled checked={false} onChange={setFrozen} label="Disabled" />
          <ThemeSwitch texts={appMessages.appearance} />
        </SpecimenLine>
      </Specimen>
      <Specimen name="Ways around">
        <Tabs
          label="Dashboard"
          items={[
            { to: '/dev/components', label: navMessages.overview, icon: 'overview', end: true },
            { to: '/dev/components/transfer', label: navMessages.transfer, icon: 'transfer' },
            { to: '/dev/components/transactions', label: navMessages.transactions, icon: 'list' },
          ]}
        />
        <TabSet
          label="Settings"
          value={tab}
          onChange={setTab}
          tabs={[
            { value: 'profile', label: 'Profile & Documents', content: <p>The first tab.</p> },
            { value: 'security', label: 'Security', content: <p>The second tab.</p> },
            { value: 'delete', label: 'Delete Account', content: <p>The third tab.</p> },
          ]}
        />
        <Pager texts={pagerTexts} page={page} pageCount={4} onPage={setPage} />
        <Pager
          texts={pagerTexts}
          page={page}
          pageCount={1_000_000}
          onPage={setPage}
          label="Very many pages"
          jump
        />
        <Pager
          texts={pagerTexts}
          label="Pages of nothing"
          page={1}
          pageCount={0}
          onPage={setPage}
          text="Page 1 of 1 (0 total transactions)"
        />
      </Specimen>
      <Specimen name="Icons">
        <ul className="ActionSpecimens-icons">
          {icons.map(name => (
            <li key={name}>
              <Icon name={name} size={24} />
              {name}
            </li>
          ))}
        </ul>
      </Specimen>
    </>
  );
}
