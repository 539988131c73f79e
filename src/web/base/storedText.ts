/** A text in browser storage, or null, that all tabs follow. If it cannot be stored, it lasts as long as the page. */
export function storedText(key: string) {
  const listeners = new Set<() => void>();
  let unstored: string | null | undefined;
  return {
    read: (): string | null => {
      try {
        return unstored === undefined ? localStorage.getItem(key) : unstored;
      } catch {
        return null;
      }
    },
    write: (text: string | null): void => {
      unstored = undefined;
      try {
        if (text === null) localStorage.removeItem(key);
        else localStorage.setItem(key, text);
      } catch {
        // Storage is full or blocked.
        unstored = text;
      }
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void) => {
      const follow = (event: StorageEvent) => {
        if (event.key !== key && event.key !== null) return;
        unstored = undefined;
        listener();
      };
      listeners.add(listener);
      addEventListener('storage', follow);
      return () => {
        listeners.delete(listener);
        removeEventListener('storage', follow);
      };
    },
  };
}
