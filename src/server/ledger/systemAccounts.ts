/** The ids of the bank's own accounts, as text. In SQL: `treasury_id()`, `clearing_id()` and `unclaimed_id()`. */
export const [treasury, clearing, unclaimed] = ['1', '2', '3'] as const;

export const isCustomer = (account: string): boolean =>
  account !== treasury && account !== clearing && account !== unclaimed;
