/** `useUpload` for an upload in Settings: picking another picture removes the error about the last one. */

import { useAppDispatch } from '#web/base/store.ts';
import { useUpload } from '#web/base/useUpload.ts';
import { errorOutdated } from './settingsSlice.ts';

export function usePictureUpload(...call: Parameters<typeof useUpload>): ReturnType<typeof useUpload> {
  const dispatch = useAppDispatch();
  const upload = useUpload(...call);
  return {
    ...upload,
    pick: file => {
      dispatch(errorOutdated());
      upload.pick(file);
    },
  };
}
