/**
 * The roles of administrators, and the groups of roles that may make a call. The declaration of an administrators' call names
 * one of these groups, or a list of roles.
 */
export const roles = ['viewer', 'support', 'operator', 'auditor', 'owner'] as const;
export type Role = (typeof roles)[number];

/**
 * May make all calls about their own login, and all calls that read, except those for the audit log, the list of the staff,
 * exports and retained identification data.
 */
export const everyRole = [...roles] as const;
/** Works with customers, but moves no money: notes, sessions, mails, messages, alerts. */
export const supporters = ['support', 'operator', 'owner'] as const;
/** Performs every act on customers and money. Acts that need four eyes need two people with one of these roles. */
export const operators = ['operator', 'owner'] as const;
/** Reads the whole audit log, and the list of the staff. */
export const auditors = ['auditor', 'owner'] as const;
/** Saves the lists of customers and of transactions as files. The audit log needs `auditors`. */
export const exporters = ['operator', 'auditor', 'owner'] as const;
/** Starts a proof of the books. */
export const provers = ['operator', 'auditor', 'owner'] as const;
/** Manages the staff. */
export const owners = ['owner'] as const;
