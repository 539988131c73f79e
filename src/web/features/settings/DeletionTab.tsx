/** The tab 'Delete Account': the consequences, what still prevents it, and the button that leads to the password. */
import { useEffect, useRef, useState } from 'react';
import { fill } from '#contract/messages/fill.ts';
import * as settingsMessages from '#contract/messages/settings.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { Button } from '#web/ui/Button.tsx';
import { ConfirmDeletion } from './ConfirmDeletion.tsx';
import { DeletionWarnings } from './DeletionWarnings.tsx';
import { FrozenNote } from './FrozenNote.tsx';
import { useRetentionQuery } from './retentionCalls.ts';
import { SettingsSection } from './SettingsSection.tsx';
import { settingsReset } from './settingsSlice.ts';
import { useDeletionConditions } from './useDeletionConditions.ts';
import { words } from './words.ts';
import './DeletionTab.css';

export function DeletionTab() {
  const customer = useAppSelector(selectCustomer);
  const dispatch = useAppDispatch();
  const [confirming, setConfirming] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasConfirming = useRef(false);
  useEffect(() => {
    // After canceling, the focus returns to the button that opened the confirmation.
    if (wasConfirming.current && !confirming) button.current?.focus();
    wasConfirming.current = confirming;
  }, [confirming]);
  const ask = (open: boolean) => {
    dispatch(settingsReset());
    setConfirming(open);
  };
  const [asked, setAsked] = useState(false);
  const { balance, pendingCount } = useDeletionConditions();
  const years = useRetentionQuery().data?.years;
  const obstacle = balance
    ? settingsMessages.balanceNotZero
    : pendingCount
      ? settingsMessages.pendingTransactions
      : undefined;

  if (!customer) return null;
  return (
    <SettingsSection title={settingsMessages.deleteAccount} note={words.deletion.note}>
      <p>{words.deletion.lead}</p>
      <DeletionWarnings />
      {years !== undefined && (
        <p className="type-small">
          {years === 0 || !customer.isApproved
            ? words.deletion.gone
            : fill(words.deletion.kept, {
                time: years === 1 ? words.deletion.oneYear : fill(words.deletion.years, { n: years }),
              })}
        </p>
      )}
      <div className="DeletionTab-end">
        {customer.isFrozen ? (
          <FrozenNote text={words.deletion.frozen} />
        ) : confirming ? (
          <ConfirmDeletion customer={customer} onCancel={() => ask(false)} />
        ) : (
          <>
            {asked && obstacle && (
              <Banner kind="error" title={words.deletion.notYet}>
                {obstacle}
              </Banner>
            )}
            <Button
              ref={button}
              kind="danger"
              icon="trash"
              onClick={() => (obstacle ? setAsked(true) : ask(true))}
            >
              {settingsMessages.deleteAccount}
            </Button>
          </>
        )}
      </div>
    </SettingsSection>
  );
}
