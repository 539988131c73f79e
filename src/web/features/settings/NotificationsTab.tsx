/** The tab 'Notifications': how the customer is notified of each kind of event, and what always comes. */
import * as preferencesMessages from '#contract/messages/preferences.ts';
import { PreferencesForm } from './PreferencesForm.tsx';
import { SettingsSection } from './SettingsSection.tsx';
import type { OnEdited } from './useEdited.ts';
import { words } from './words.ts';

const texts = words.preferences;

export function NotificationsTab({ onEdited }: { onEdited: OnEdited }) {
  return (
    <>
      <SettingsSection title={preferencesMessages.preferences} note={texts.note}>
        <PreferencesForm onEdited={onEdited} />
      </SettingsSection>
      <SettingsSection {...texts.always}>
        <p>{texts.alwaysText}</p>
      </SettingsSection>
    </>
  );
}
