/** Texts about the identification data that the bank keeps after an account is closed. */
export const opened = 'Retained identification data. The audit log has recorded that you opened it.';
export const missing = 'The bank keeps no identification data about this customer';
