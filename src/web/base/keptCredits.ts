/**
 * Keeps administrators' credits whose results are not known yet, with their idempotency keys, in the storage of this tab. They
 * survive a reload, a logout and another administrator's login, so that none of them is made twice. Each is deleted once its
 * result is known. Another person at this tab can read and change them, so none is sent without a press by its administrator,
 * and the bank binds a key to the administrator. Without storage they last only as long as the page.
 */

/** `body`: the request's body as read from storage, not validated. */
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
    const kept = JSON.parse(sessionStorage.getItem(storedAs) ?? '[]') as (KeptCredit | null)[];
    // Check each entry separately, so that one damaged entry does not lose the others.
    return kept.filter(
      (entry): entry is KeptCredit => typeof entry?.key === 'string' && typeof entry.adminId === 'string',
    );
  } catch {
    return [];
  }
}
