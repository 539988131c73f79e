/** What `IdDocument` needs about the customer's document: its state (profile and identity), viewing, uploading a new one. */
import { useState } from 'react';
import * as errorMessages from '#contract/messages/errors.ts';
import { settingsApi } from '#contract/settings.ts';
import type { IdDocumentProps } from '#web/bank/IdDocument.tsx';
import * as words from '#web/bank/words.ts';
import { type CallError, errorMessage, isUncertain } from '#web/base/callError.ts';
import { openPicture } from '#web/base/openPicture.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { readSince } from '#web/base/useActs.ts';
import { useProfileQuery } from '#web/features/auth/authCalls.ts';
import { useIdentityQuery, useUploadIdCardMutation } from './settingsCalls.ts';
import { settingsNoted } from './settingsSlice.ts';
import { usePictureUpload } from './usePictureUpload.ts';

/** Returns the props of `IdDocument` for the logged-in customer. The result of an upload is in the settings slice. */
export function useIdDocument(): IdDocumentProps {
  const dispatch = useAppDispatch();
  const customer = useAppSelector(selectCustomer);
  const { idRequest } = useIdentityQuery().data ?? {};
  const [send] = useUploadIdCardMutation();
  const { refetch } = useProfileQuery();
  const [viewFailed, setViewFailed] = useState(false);
  const { idCard, isIdRequested, isVerified, isFrozen } = customer ?? {};
  /** After a lost answer, reads the profile again and says what became of the picture. */
  const isSaved = async (error: CallError) => {
    if (!isUncertain(error)) return false;
    const now = await readSince(Date.now(), refetch);
    const hasArrived = now && (idCard ? isIdRequested && !now.isIdRequested : now.idCard !== null);
    if (hasArrived)
      dispatch(settingsNoted({ request: 'success', message: settingsApi.uploadIdCard.message }));
    else {
      // If the bank did not ask for another picture, the profile looks the same before and after the upload.
      const lost = idCard && !isIdRequested ? words.idUnknown : errorMessages.actUndone;
      const failed = typeof error.status === 'number' ? errorMessage(error, errorMessages.fault) : lost;
      const message = now ? failed : errorMessages.actUnknown;
      dispatch(settingsNoted({ request: 'error', message, isUnknown: true }));
    }
    return hasArrived === true;
  };
  const upload = usePictureUpload(send, isSaved);
  const view = async (url: string) =>
    setViewFailed(!(await dispatch(openPicture(url, 'customer', words.idDocument))));
  return {
    // The bank does not show a document from before a password reset that came before the first login.
    state: isVerified ? 'verified' : !idCard ? 'none' : idRequest ? 'requested' : 'waiting',
    reason: idRequest ?? undefined,
    onLook: idCard ? () => void view(idCard.url) : undefined,
    lookFailed: viewFailed,
    upload,
    disabled: isFrozen,
  };
}
