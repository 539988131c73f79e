/** Texts of the unclaimed balances. */
export const balances = 'Unclaimed balances';
export const noSuchBalance = 'This unclaimed balance does not exist.';
export const paidBefore = 'This balance was already paid out. The list “Paid out” shows to whom.';
/** The description of a payout's transaction. If the payout goes to a customer, the customer reads it too. */
export const payoutOf = 'Unclaimed balance {reference}';
/** The names of the lists. */
export const lists = { waiting: 'Not paid out', paid: 'Paid out' } as const;
