/** The customer's picture and its upload. */
import * as settingsMessages from '#contract/messages/settings.ts';
import { PictureUpload } from '#web/bank/PictureUpload.tsx';
import { FrozenNote } from './FrozenNote.tsx';
import { useUploadAvatarMutation } from './settingsCalls.ts';
import { usePictureUpload } from './usePictureUpload.ts';
import { words } from './words.ts';

export type AvatarFormProps = { currentUrl: string; frozen: boolean };

export function AvatarForm({ currentUrl, frozen }: AvatarFormProps) {
  const [send, { data: sent }] = useUploadAvatarMutation();
  const upload = usePictureUpload(send);
  return (
    <>
      <PictureUpload
        label={words.avatar.field}
        hint={settingsMessages.avatarHint}
        shape="round"
        // Show the uploaded picture until the profile has it too; the old one must not reappear in between.
        currentUrl={sent?.data.avatar.url ?? (currentUrl || undefined)}
        upload={upload}
        disabled={frozen}
      />
      {frozen && <FrozenNote below />}
    </>
  );
}
