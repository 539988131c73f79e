/** The customer's ID document as `IdDocument` shows it: its state from the profile, the look at it, handing in a new one. */
import { useState } from 'react';
import type { IdDocumentProps } from '#web/bank/IdDocument.tsx';
import { openPicture } from '#web/base/openPicture.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { useUpload } from '#web/base/useUpload.ts';
import { useUploadIdCardMutation } from './settingsCalls.ts';

/** The props of `IdDocument` for whoever is logged in. How handing in went is in the settings slice. */
export function useIdDocument(): IdDocumentProps {
  const customer = useAppSelector(selectCustomer);
  const [send] = useUploadIdCardMutation();
  const upload = useUpload(send);
  const [lookFailed, setLookFailed] = useState(false);
  const { idCard, isVerified, isFrozen, token } = customer ?? {};
  const look = async (url: string) => setLookFailed(!(await openPicture(url, token)));
  return {
    state: !idCard ? 'none' : isVerified ? 'verified' : 'waiting',
    onLook: () => void (idCard && look(idCard.url)),
    lookFailed,
    upload,
    disabled: isFrozen,
  };
}
