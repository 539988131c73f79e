/** The texts of Settings that the specification does not fix; those it fixes are in the contract's messages. */
import { password } from '#contract/constants.ts';

export const words = {
  avatar: {
    title: 'Profile image',
    note: 'Shown next to your name. Only you and the bank can see it.',
    field: 'New image',
  },
  idDocument: { title: 'ID document', note: 'Only you and the bank can see it.' },
  identity: { title: 'Personal details', note: 'As shown on your ID.' },
  contact: { title: 'Contact', note: 'Your phone number and mailing address.' },
  fields: { phoneNumber: 'Phone number', address: 'Address', region: 'Region', zipCode: 'ZIP code' },
  phoneHint: '10 digits',
  dataCopy: {
    title: 'Your data',
    note: 'You can take a copy up to five times a day.',
    about:
      'A ZIP file with everything we hold about you: profile, transactions, statements, pictures, payees and logins. Keep it in a safe place.',
    save: 'Download my data',
    saving: 'Saving, {size} KB',
    failed: 'We couldn’t download your data',
    failedText: 'Try again in a few minutes.',
  },
  closed: 'You can’t change this while your account is frozen.',

  password: {
    title: 'Password',
    note: 'Saving a new one logs you out on all other devices.',
    current: 'Current password',
    next: 'New password',
    confirm: 'Confirm password',
    hint: `${password.minDigits} digits or more`,
  },

  sessions: {
    note: 'If you don’t recognize a session, end it and change your password.',
    loading: 'Loading sessions...',
    failed: 'We couldn’t load your sessions.',
    current: 'This device',
    signedIn: 'Logged in {when}',
    lastSeen: 'Last active {when}',
    end: 'End session',
    endNamed: 'End session on {device}',
    ending: 'Ending...',
    endOthers: 'End all other sessions',
    alone: 'You’re not logged in on any other device.',
    endTitle: 'End this session?',
    endText: '{device} at {address}, logged in {when}, will be logged out right away.',
    endOthersTitle: 'End all other sessions?',
    endOthersText: 'All other devices will be logged out right away.',
  },

  limits: {
    section: {
      title: 'Limits',
      note: 'For money that leaves your account. A lower limit works right away. We ask you to confirm a higher one.',
    },
    dailyOut: 'Daily limit',
    dailyHint: 'The most you can send in one day, New York time.',
    stepUpFrom: 'Confirm transfers from',
    stepUpHint:
      'We ask you to confirm before you send this much or more. We always ask for very large transfers.',
    none: 'Leave it empty for no limit.',
    loading: 'Loading limits...',
    failed: 'We couldn’t load your limits.',
    invalid: 'Enter more than $0.00, or leave it empty.',
    confirms: 'Confirm your new limits',
  },
  freeze: {
    section: {
      title: 'Freeze my account',
      note: 'If you think another person is using your account, stop all payments now.',
    },
    open: 'Money can leave your account.',
    openText:
      'When you freeze it, you can’t send money, and payments that were not sent to another bank yet wait. Money can still arrive. You can unfreeze it here at any time. We’ll ask you to confirm.',
    freeze: 'Freeze my account',
    freezing: 'Freezing...',
    byYou: 'You froze your account.',
    byYouText: 'No money can leave it. Money can still arrive.',
    unfreeze: 'Unfreeze my account',
    unfreezing: 'Unfreezing...',
    byBank: 'We froze your account.',
    byBankText: 'Please contact customer service to unfreeze it.',
    confirms: 'Unfreeze your account',
  },

  preferences: {
    note: 'Choose how we tell you what happens on your account.',
    loading: 'Loading settings...',
    failed: 'We couldn’t load your settings.',
    kinds: {
      moneyIn: { title: 'Money in', text: 'Money you receive, credits and refunds.' },
      moneyOut: {
        title: 'Money out',
        text: 'Transfers you send. We always email you about very large ones.',
      },
      otherBanks: { title: 'Transfers to other banks', text: 'When they arrive or come back.' },
      scheduled: {
        title: 'Scheduled transfers',
        text: 'When one couldn’t be sent, or your balance is too low.',
      },
      statements: { title: 'Statements', text: 'When your monthly statement is ready.' },
    },
    bellOn: 'In the app',
    bellOff: 'Not in the app',
    mail: 'Email',
    mails: { each: 'One email each', daily: 'One summary a day', off: 'No email' },
    always: { title: 'Always on', note: 'These can’t be turned off.' },
    alwaysText:
      'We always notify you and email you about your security: logins from new devices, new payees, changes to your password or details, and alerts about unusual payments.',
  },

  deletion: {
    note: 'This can’t be undone.',
    lead: 'Before you delete your account:',
    history: 'You won’t see your transactions again. We keep the records, without your name.',
    balanceZero: 'Your balance is zero.',
    balanceLeft: 'You have {amount} in your account.',
    sendIt: 'Send it first',
    nothingPending: 'You have no pending transfers.',
    onePending: 'One transfer is pending. This takes {days} business days.',
    manyPending: '{n} transfers are pending. This takes {days} business days.',
    seePending: 'See your transactions',
    checking: 'Checking...',
    unknown: 'We couldn’t check this.',
    met: 'Done',
    open: 'To do',
    gone: 'We erase your personal data, pictures and login right away. You can register with the same email again.',
    notYet: 'You can’t delete your account yet',
    confirmTitle: 'Enter your password',
    confirmText: 'Confirm Delete closes the account of {name} permanently.',
    field: 'Password',
  },
} as const;
