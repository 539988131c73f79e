/** The container of the toasts, rendered once in `SiteFrame`. Loads the renderer when the first toast is shown. */
import { lazy, Suspense, useEffect, useState } from 'react';
import { listenForToasts, type ToastMessage } from '#web/ui/showToast.ts';

const ToastLayer = lazy(async () => ({ default: (await import('./ToastLayer.tsx')).ToastLayer }));

export function Toasts() {
  const [said, setSaid] = useState<ToastMessage[]>([]);
  useEffect(() => listenForToasts(message => setSaid(all => [...all, message])), []);
  if (said.length === 0) return null;
  return (
    <Suspense fallback={null}>
      <ToastLayer said={said} />
    </Suspense>
  );
}
