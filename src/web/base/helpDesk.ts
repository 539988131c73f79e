/** URLs of the Help Desk's contact form with subject and message filled in. */

/** The URL of the form with a subject and, if given, the beginning of a message. */
export function helpDeskAddress(subject: string, message = ''): string {
  return `/contact?${new URLSearchParams({ subject, ...(message && { message }) })}`;
}

/** The URL of the form for a customer whose account is frozen. */
export const aboutFrozenAccount = helpDeskAddress('My account is frozen');
