/** Addresses of the Help Desk's form with a letter begun. */

/** The form with a subject, and where it is given a message, for the person to go on from. */
export function helpDeskAddress(subject: string, message = ''): string {
  return `/contact?${new URLSearchParams({ subject, ...(message && { message }) })}`;
}

/** The letter of somebody whose account is frozen. */
export const aboutFrozenAccount = helpDeskAddress('My account is frozen');
