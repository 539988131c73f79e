/** The tab 'Security': the password, the second factors, and the customer's sessions. */
import * as settingsMessages from '#contract/messages/settings.ts';
import { FactorSections } from './FactorSections.tsx';
import { PasswordForm } from './PasswordForm.tsx';
import { SessionList } from './SessionList.tsx';
import { SettingsSection } from './SettingsSection.tsx';
import type { OnEdited } from './useEdited.ts';
import { words } from './words.ts';

export function SecurityTab({ onEdited }: { onEdited: OnEdited }) {
  return (
    <>
      <SettingsSection {...words.password}>
        <PasswordForm onEdited={onEdited} />
      </SettingsSection>
      <FactorSections />
      <SettingsSection title={settingsMessages.sessions} note={words.sessions.note}>
        <SessionList />
      </SettingsSection>
    </>
  );
}
