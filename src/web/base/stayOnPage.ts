/** Warns before the page closes while a keyed request is unanswered: if its key is lost, its result cannot be found. */

/** Guards the whole page, on every screen, until the returned function is called. */
export function stayOnPage(): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  addEventListener('beforeunload', ask);
  return () => removeEventListener('beforeunload', ask);
}
