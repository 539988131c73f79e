/**
 * The few words the parts themselves say, mostly to screen readers. Sentences of a screen come in as props;
 * words shared with screens come from the contract's messages.
 */
import { image } from '#contract/constants.ts';

export const words = {
  digitsEntered: (count: number) => (count === 1 ? '1 digit entered' : `${count} digits entered`),
  keypad: 'Password keypad',
  clearAll: (key: string) => `${key}, clear all digits`,
  deleteLast: (key: string) => `${key}, delete the last digit`,
  digitOf: (place: number, of: number) => `Digit ${place} of ${of}`,
  dismiss: 'Dismiss',
  balanceHidden: 'Balance hidden',
  chooseImage: 'Choose image',
  changeImage: 'Change image',
  removeImage: 'Remove image',
  cancelUpload: 'Cancel upload',
  dropImage: 'or drop it here',
  uploading: 'Uploading',
  upload: 'Upload',
  uploadingNow: 'Uploading...',
  idDocument: {
    none: 'Not handed in',
    waiting: 'Waiting for check',
    explained: {
      none: 'We need to see who you are once. A passport, an ID card or a driving licence will do.',
      waiting: 'We have it. Someone at the bank looks at it; there is nothing for you to do.',
      verified: 'Checked by a person at the bank. A newer picture would be checked again.',
    },
    look: 'Look at what I handed in',
    lookFailed: 'The picture could not be opened. Please try again.',
    label: 'Picture of your ID document',
    labelAgain: 'Hand in a newer one',
    hint: `All four corners in view. JPEG, PNG or WebP, up to ${image.maxBytes / 1024 / 1024} MB`,
  },
  filters: {
    search: 'Search',
    searchHint: 'Name or amount',
    type: 'Type',
    status: 'Status',
    from: 'From',
    to: 'To',
    clear: 'Clear',
    wrongRange: 'The first day is after the last.',
  },
  story: {
    sent: 'Sent',
    received: 'Received',
    credited: 'Credited by the bank',
    atOnce: 'It arrived at once.',
    left: 'Left your balance',
    leftSender: 'Left the balance of {name}',
    arrived: 'Arrived at {bank}',
    expectedBy: 'Expected by {day}',
    onItsWay: 'On its way',
    reason: 'Reason: {reason}',
    backAtSender: 'The money is in the balance of {name} again.',
    backOfClosed: 'The account is closed. What came back after that is in the unclaimed balances.',
  },
  showTable: 'Show as a table',
  toasts: 'Messages, Alt+T',
  pages: 'Pages',
} as const;
