/** The tab 'Security': the password, and the customer's sessions. */
import * as settingsMessages from '#contract/messages/settings.ts';
import { PasswordForm } from './PasswordForm.tsx';
import { SessionList } from './SessionList.tsx';
import { SettingsSection } from './SettingsSection.tsx';
import { words } from './words.ts';

export function SecurityTab() {
  return (
    <>
      <SettingsSection {...words.password}>
        <PasswordForm />
      </SettingsSection>
      <SettingsSection title={settingsMessages.sessions} note={words.sessions.note}>
        <SessionList />
      </SettingsSection>
    </>
  );
}
