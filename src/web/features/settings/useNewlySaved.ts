/** Calls `onNew` while rendering when the saved values have changed. Mounting the form again would lose the focus. */
import { useState } from 'react';

export function useNewlySaved(saved: object, onNew: () => void): void {
  const now = JSON.stringify(saved);
  const [known, setKnown] = useState(now);
  if (now === known) return;
  setKnown(now);
  onNew();
}
