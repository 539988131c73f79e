/** When the person last acted in this browser, shared by all its tabs, and the header that reports it to the server. */
import { session } from '#contract/constants.ts';

export const lastActionKey = 'lastAction';

/** The time in milliseconds; undefined if nothing valid is stored. */
export function readLastAction(): number | undefined {
  try {
    const last = Number(localStorage.getItem(lastActionKey) ?? Number.NaN);
    return Number.isFinite(last) ? last : undefined;
  } catch {
    return undefined;
  }
}

export function writeLastAction(at: number): void {
  try {
    localStorage.setItem(lastActionKey, String(at));
  } catch {
    // Without storage each tab keeps its own time.
  }
}

/** Calls within this time of an action count as the action itself. */
const minIdleSeconds = 5;

/**
 * A header for requests with a token: how long the person has been idle. Because of it, polling and reconnecting do not keep a
 * session alive, and the server knows when the person last acted.
 */
export function idleHeader(): Record<string, string> {
  const last = readLastAction();
  const seconds = last === undefined ? 0 : Math.floor((Date.now() - last) / 1000);
  return seconds < minIdleSeconds ? {} : { [session.idleHeader]: String(seconds) };
}
