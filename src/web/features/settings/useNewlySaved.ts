/** Calls `onNew` during rendering if the saved values have changed. Remounting the form instead would lose the focus. */
import { useState } from 'react';

export function useNewlySaved(saved: object, onNew: () => void): void {
  const now = JSON.stringify(saved);
  const [known, setKnown] = useState(now);
  if (now === known) return;
  setKnown(now);
  onNew();
}
