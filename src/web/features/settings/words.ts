/** The texts of Settings that the specification does not fix; those it fixes are in the contract's messages. */
import { password } from '#contract/constants.ts';

export const words = {
  avatar: {
    title: 'Profile image',
    note: 'It stands beside your name, for you and the bank to see.',
    field: 'New image',
  },
  idDocument: { title: 'ID document', note: 'Seen by you and the bank, nobody else.' },
  contact: { title: 'Contact', note: 'Where letters and calls reach you.' },
  fields: { phoneNumber: 'Phone number', address: 'Address', region: 'Region', zipCode: 'ZIP code' },
  phoneHint: '10 digits',
  closed: 'Closed while your account is frozen.',

  password: {
    title: 'Password',
    note: 'Saving a new one logs you out everywhere but here.',
    current: 'Current password',
    next: 'New password',
    confirm: 'Confirm password',
    hint: `${password.minDigits} digits or more`,
  },

  sessions: {
    note: 'End what you do not recognise, then change your password.',
    loading: 'Loading sessions...',
    failed: 'Your sessions could not be loaded.',
    current: 'This one',
    signedIn: 'Signed in {when}',
    lastSeen: 'Last seen {when}',
    end: 'End session',
    endNamed: 'End session on {device}',
    ending: 'Ending...',
    endOthers: 'End all other sessions',
    alone: 'You are logged in nowhere else.',
    endTitle: 'End this session?',
    endText:
      '{device} at {address}, signed in {when}, is logged out at once. Whoever sits there has to log in again.',
    endOthersTitle: 'End all other sessions?',
    endOthersText: 'Every device but this one is logged out at once.',
  },

  deletion: {
    note: 'This cannot be undone.',
    lead: 'Before you go, please read these three.',
    history:
      'You will not be able to look at it again. The bank’s own books keep their entries, without your name.',
    balanceZero: 'It is zero.',
    balanceLeft: 'There is {amount} in your account.',
    sendIt: 'Send it on first',
    nothingPending: 'Nothing is on its way.',
    onePending: 'One transfer is on its way. That takes {days} business days.',
    manyPending: '{n} transfers are on their way. That takes {days} business days.',
    seePending: 'See your transactions',
    checking: 'Checking...',
    unknown: 'This could not be checked.',
    met: 'Done',
    open: 'To do',
    gone: 'Your personal data, pictures and login are erased at once. Your email can be registered again later.',
    confirmTitle: 'Your password, once more',
    confirmText: 'When you press Confirm Delete, the account of {name} is closed for good.',
    field: 'Password',
  },
} as const;
