/** Texts of saved payees. */
export const payees = 'Payees';
export const saved = 'Payee saved';
export const savedAlready = 'You saved this account already';
export const tooMany = 'You can save up to {max} payees. Remove one to save another.';
