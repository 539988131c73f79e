/** Loads a picture that needs the session's token, and releases it when it is no longer shown. */
import { useEffect, useState } from 'react';
import { fetchPicture } from '#web/base/openPicture.ts';
import { selectAdmin } from '#web/base/session.ts';
import { useAppDispatch, useAppSelector } from '#web/base/store.ts';

/** `version` changes when another picture is at the same URL. Without a URL nothing is loaded. */
export function useGuardedPicture(url: string | undefined, version: string | undefined) {
  const token = useAppSelector(selectAdmin)?.token;
  const dispatch = useAppDispatch();
  const [picture, setPicture] = useState<{ src?: string; failed?: true }>({});
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is another picture
  useEffect(() => {
    if (url === undefined) return;
    let src: string | undefined;
    let isCurrent = true;
    dispatch(fetchPicture(url, 'admin')).then(
      blob => {
        if (!isCurrent) return;
        src = URL.createObjectURL(blob);
        setPicture({ src });
      },
      () => isCurrent && setPicture({ failed: true }),
    );
    return () => {
      isCurrent = false;
      if (src) URL.revokeObjectURL(src);
      setPicture({});
    };
  }, [url, version, token]);
  return picture;
}
