/** While a press with an idempotency key is unanswered, closing the page asks once: the key that finds the answer would be gone. */

/** Guards the whole page, whatever screen is shown, until the function it gives back is called. */
export function stayOnPage(): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  addEventListener('beforeunload', ask);
  return () => removeEventListener('beforeunload', ask);
}
