/** Which scheme the page wears: the system's, or the one the person chose, remembered on this device. */
export type Theme = 'system' | 'light' | 'dark';

const storageKey = 'theme';
const listeners = new Set<() => void>();

/** The remembered choice; 'system' where there is none, or no storage. */
export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(storageKey);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

function wear(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

/** Puts the remembered choice on the page; call it first thing in the app's entry. */
function applyStoredTheme(): void {
  wear(storedTheme());
}

/** Changes the scheme at once and remembers it. */
export function applyTheme(theme: Theme): void {
  wear(theme);
  try {
    if (theme === 'system') localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, theme);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  for (const listener of listeners) listener();
}

/** Tells a listener about every change, in this tab or another. Gives back how to stop. */
export function subscribeToTheme(listener: () => void): () => void {
  const fromOtherTab = (event: StorageEvent) => {
    if (event.key !== storageKey) return;
    applyStoredTheme();
    listener();
  };
  listeners.add(listener);
  addEventListener('storage', fromOtherTab);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', fromOtherTab);
  };
}
