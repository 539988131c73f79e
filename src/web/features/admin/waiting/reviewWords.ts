/**
 * What to do if the email was first confirmed by a password reset. Until the approval, the customer can't change the number.
 */
export const reviewWords = {
  callFirst: 'Before you decide, call the phone number below. It is the one from the registration.',
  callChanged:
    'Check who it is before you decide. The phone number may have been changed since the approval.',
} as const;

/** The questions of the review before a rejection or a request for an ID document. */
export const asks = {
  reject: {
    title: (name: string) => `Reject the application of ${name}?`,
    text: 'We email the customer and erase the personal data. This can’t be undone.',
    confirmLabel: 'Reject application',
    suggestions: [
      'We couldn’t confirm your identity.',
      'Your details don’t match your ID document.',
      'You already have an account with us.',
    ],
  },
  'request-id': {
    title: (name: string) => `Ask ${name} for a better document?`,
    text: 'We email the customer, and hide the row in ID Verifications until a new document is uploaded.',
    confirmLabel: 'Ask for a document',
    suggestions: [
      'The picture is blurred.',
      'Part of the document is cut off.',
      'The document has expired.',
      'The name doesn’t match your registration.',
    ],
  },
  /** There is no document yet. */
  'request-first': {
    title: (name: string) => `Ask ${name} for an ID document?`,
    text: 'We email the customer, and hide the row in ID Verifications until a document is uploaded.',
    confirmLabel: 'Ask for a document',
    suggestions: ['We need it to verify your identity.', 'We need it to verify your date of birth.'],
  },
} as const;
