/** The tab 'Profile & Documents': picture, ID document, personal and contact details, and copies of all data. */

import { fill } from '#contract/messages/fill.ts';
import { IdDocument } from '#web/bank/IdDocument.tsx';
import { IdentityForm } from '#web/bank/IdentityForm.tsx';
import { useProfileQuery } from '#web/features/auth/authCalls.ts';
import { AvatarForm } from './AvatarForm.tsx';
import { ContactDetails } from './ContactDetails.tsx';
import { DataCopy } from './DataCopy.tsx';
import { FrozenNote } from './FrozenNote.tsx';
import { useIdDocument } from './idDocumentCalls.ts';
import { useIdentityForm } from './identityCalls.ts';
import { SettingsSection } from './SettingsSection.tsx';
import { type OnEdited, useEdited } from './useEdited.ts';
import { words } from './words.ts';

export function ProfileTab({ onEdited }: { onEdited: OnEdited }) {
  const { data: profile, refetch } = useProfileQuery();
  const idDocument = useIdDocument();
  const { isEdited, isComplete: _, ...identity } = useIdentityForm();
  useEdited('identity', isEdited, onEdited);
  // The dashboard shell shows the loading state.
  if (!profile) return null;
  const frozen = profile.isFrozen;
  return (
    <>
      <SettingsSection {...words.avatar}>
        <AvatarForm currentUrl={profile.avatar.url} frozen={frozen} />
      </SettingsSection>
      <SettingsSection {...words.idDocument} id="id-document">
        <IdDocument {...idDocument} />
        {frozen && <FrozenNote below />}
      </SettingsSection>
      <SettingsSection {...words.identity}>
        <IdentityForm {...identity} />
        {frozen && <FrozenNote below />}
      </SettingsSection>
      <SettingsSection title={words.contact.title} note={fill(words.contact.note, { email: profile.email })}>
        <ContactDetails saved={profile} refetch={refetch} frozen={frozen} onEdited={onEdited} />
      </SettingsSection>
      {profile.isApproved && (
        <SettingsSection title={words.dataCopy.title} note={words.dataCopy.note}>
          <DataCopy />
        </SettingsSection>
      )}
    </>
  );
}
