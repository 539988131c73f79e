/** Fetches the later parts of the login (`loginParts.ts`) when the visitor begins to fill in the form. */
import { useEffect, useState } from 'react';

type LoginParts = typeof import('./loginParts.ts');

let fetched: LoginParts | undefined;

/** Rejects if the parts cannot be fetched; the next call tries again. */
export async function fetchLoginParts(): Promise<LoginParts> {
  fetched ??= await import('./loginParts.ts');
  return fetched;
}

let isPreparing = false;

/** Fetches the parts one file after the other with pauses, so that the visitor's key presses are not delayed. */
export async function prepareLogin(): Promise<void> {
  if (isPreparing) return;
  isPreparing = true;
  for (const load of [
    () => import('#web/base/api.ts'),
    () => import('#web/ui/Dialog.tsx'),
    fetchLoginParts,
  ]) {
    await new Promise(done => setTimeout(done, 100));
    // A failure shows when the part is needed.
    await load().catch(() => {});
  }
}

/** Returns the parts once they are fetched; undefined before. `isNeeded` starts fetching them. */
export function useLoginParts(isNeeded: boolean): LoginParts | undefined {
  const [parts, setParts] = useState(fetched);
  useEffect(() => {
    if (isNeeded && !parts) void fetchLoginParts().then(setParts, () => {});
  }, [isNeeded, parts]);
  return parts ?? (isNeeded ? fetched : undefined);
}
