/** The tab 'Notifications': how the customer is notified of each kind of event, on which devices, and what is always sent. */
import * as preferencesMessages from '#contract/messages/preferences.ts';
import { PreferencesForm } from './PreferencesForm.tsx';
import { PushDevices } from './PushDevices.tsx';
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
      <SettingsSection {...words.push.section}>
        <PushDevices />
      </SettingsSection>
      <SettingsSection {...texts.always}>
        <p>{texts.alwaysText}</p>
      </SettingsSection>
    </>
  );
}
