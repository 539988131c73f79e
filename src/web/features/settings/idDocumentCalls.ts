/** What `IdDocument` needs about the customer's document: its state (profile and identity), viewing, uploading a new one. */
import { useState } from 'react';
import type { IdDocumentProps } from '#web/bank/IdDocument.tsx';
import * as words from '#web/bank/words.ts';
import { openPicture } from '#web/base/openPicture.ts';
import { selectCustomer } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';
import { useUpload } from '#web/base/useUpload.ts';
import { useIdentityQuery, useUploadIdCardMutation } from './settingsCalls.ts';

/** Returns the props of `IdDocument` for the logged-in customer. The result of an upload is in the settings slice. */
export function useIdDocument(): IdDocumentProps {
  const dispatch = useAppDispatch();
  const customer = useAppSelector(selectCustomer);
  const { idRequest } = useIdentityQuery().data ?? {};
  const [send] = useUploadIdCardMutation();
  const upload = useUpload(send);
  const [viewFailed, setViewFailed] = useState(false);
  const { idCard, isVerified, isFrozen } = customer ?? {};
  const view = async (url: string) =>
    setViewFailed(!(await dispatch(openPicture(url, 'customer', words.idDocument))));
  return {
    state: !idCard ? 'none' : isVerified ? 'verified' : idRequest ? 'requested' : 'waiting',
    reason: idRequest ?? undefined,
    onLook: () => void (idCard && view(idCard.url)),
    lookFailed: viewFailed,
    upload,
    disabled: isFrozen,
  };
}
