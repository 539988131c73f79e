/**
 * Keeps an administrator's credits whose results are not known yet, with their idempotency keys, in the storage of this tab. They
 * survive a reload, so that none of them is made twice. A logout and another administrator's login delete them; if the session
 * ends by itself, they stay. Without storage nothing is kept.
 */

/** `body` is the request, as storage has it. */
export type KeptCredit = { key: string; adminId: string; body: unknown };

const storedAs = 'unansweredCredits';

export function keepCredits(credits: readonly KeptCredit[]): void {
  try {
    if (credits.length > 0) sessionStorage.setItem(storedAs, JSON.stringify(credits));
    else sessionStorage.removeItem(storedAs);
  } catch {
    // Without storage the credits live only in this page's memory.
  }
}

export function readKeptCredits(): KeptCredit[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storedAs) ?? '[]') as KeptCredit[];
    return kept.filter(({ key, adminId }) => typeof key === 'string' && typeof adminId === 'string');
  } catch {
    return [];
  }
}

/** Deletes the credits that another administrator has left. */
export function keepCreditsOnlyOf(admin: string): void {
  keepCredits(readKeptCredits().filter(({ adminId }) => adminId === admin));
}
