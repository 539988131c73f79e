/** Who has frozen an account, as lists of customers and their pages say it. */
export type Freezes = {
  [by in 'isFrozen' | 'isFrozenByCustomer' | 'isFrozenByStaff']?: boolean | undefined;
};

/** `isFrozenByStaff` is sent only if the customer has frozen the account, too. */
export const isFrozenByStaff = (account: Freezes) =>
  account.isFrozen === true && (!account.isFrozenByCustomer || account.isFrozenByStaff === true);

/** What an unfreeze sends: the freezes that its screen named. The bank lifts no other. */
export const shownFreezes = (account: Freezes) => ({
  isFrozenByStaff: isFrozenByStaff(account),
  isFrozenByCustomer: account.isFrozenByCustomer === true,
});

/** Whether only the customer froze the account. The customer can lift that freeze, so staff can add their own. */
export const isOnlyOwnFreeze = (account: Freezes) => account.isFrozen === true && !isFrozenByStaff(account);
