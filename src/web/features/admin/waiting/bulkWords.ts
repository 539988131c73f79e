/** The texts of approving several applications with one press. */
export const bulkWords = {
  viewToSelect: 'You can select the applications on this page that you have viewed.',
  selectViewed: (n: number) =>
    n === 1
      ? 'Select the 1 application on this page that you viewed'
      : `Select the ${n} applications on this page that you viewed`,
  /** `n`: viewed applications that can't be selected. */
  viewedApart: (n: number) =>
    n === 1
      ? '1 application on this page that you viewed can’t be selected. Possible reasons: a requested ID document, a sanctions match, or an email that was confirmed only after a password reset.'
      : `${n} applications on this page that you viewed can’t be selected. Possible reasons: a requested ID document, a sanctions match, or an email that was confirmed only after a password reset.`,
  approveSelected: (n: number) => (n === 0 ? 'Approve selected' : `Approve ${n} selected`),
  approvingOf: (done: number, total: number) => `Approving ${done} of ${total}...`,
  /** Until the list was read again. */
  unknown:
    'We don’t know yet whether this was done. Wait a moment. If the row is still in the list, try again.',
  stillWaiting: 'Still in the list. You can approve it again; it is approved only once.',
  leftQueue: 'No longer waiting. Open the customer to see what was decided.',
  bulkDone: (approved: number, before: number, refused: number, unknown: number) =>
    [
      approved === 1 ? '1 account was approved' : `${approved} accounts were approved`,
      before > 0 && (before === 1 ? '1 was already approved' : `${before} were already approved`),
      refused > 0 && (refused === 1 ? '1 was not approved' : `${refused} were not approved`),
      unknown > 0 && `the result of ${unknown} is unknown`,
    ]
      .filter(Boolean)
      .join(', '),
} as const;
