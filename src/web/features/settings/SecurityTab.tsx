/** The tab 'Security': the password, the second factors, the sessions, the limits, and the freeze. */
import * as settingsMessages from '#contract/messages/settings.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { FactorSections } from './FactorSections.tsx';
import { FreezeOwn } from './FreezeOwn.tsx';
import { LimitsForm } from './LimitsForm.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { SessionList } from './SessionList.tsx';
import { SettingsSection } from './SettingsSection.tsx';
import type { OnEdited } from './useEdited.ts';
import { words } from './words.ts';

export function SecurityTab({ onEdited }: { onEdited: OnEdited }) {
  const approved = useAppSelector(selectCustomer)?.isApproved;
  return (
    <>
      <SettingsSection {...words.password}>
        <PasswordForm onEdited={onEdited} />
      </SettingsSection>
      {approved && <FactorSections />}
      <SettingsSection title={settingsMessages.sessions} note={words.sessions.note}>
        <SessionList />
      </SettingsSection>
      {approved && (
        <>
          <SettingsSection {...words.limits.section}>
            <LimitsForm onEdited={onEdited} />
          </SettingsSection>
          <SettingsSection {...words.freeze.section}>
            <FreezeOwn />
          </SettingsSection>
        </>
      )}
    </>
  );
}
