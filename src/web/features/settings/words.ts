/** The texts of Settings that the specification does not fix; those it fixes are in the contract's messages. */
import { dataCopies, password, stepUp } from '#contract/constants.ts';
import * as limitsMessages from '#contract/messages/limits.ts';
import { formatDollars } from '#contract/money.ts';

/** From this amount on, a transfer is always mailed at once. */
const largeTransfer = formatDollars(stepUp.fromDollars);

export const words = {
  avatar: {
    title: 'Profile image',
    note: 'Shown next to your name. Only you and the bank can see it.',
    field: 'New image',
  },
  idDocument: { title: 'ID document', note: 'Only you and the bank can see it.' },
  identity: { title: 'Personal details', note: 'As shown on your ID.' },
  contact: {
    title: 'Contact',
    note: 'We email you at {email}. To change your email or your name, contact the Help Desk.',
  },
  fields: { phoneNumber: 'Phone number', address: 'Address', region: 'Region', zipCode: 'ZIP code' },
  phoneHint: '10 digits',
  dataCopy: {
    title: 'Your data',
    note: `We keep each copy for ${dataCopies.days} days, and at most ${dataCopies.stored} copies.`,
    about:
      'A ZIP file with everything we hold about you: profile, transactions, statements, pictures, payees and logins. Keep it in a safe place.',
    request: 'Make a copy of my data',
    requesting: 'Asking...',
    notRequested: 'We couldn’t start a copy',
    making: 'Making your copy',
    makingNote: 'This can take a few minutes. You can leave this page. We’ll email you when it’s ready.',
    list: 'Copies of your data',
    loading: 'Loading copies...',
    notLoaded: 'We couldn’t load your copies.',
    facts: '{size}. We delete it on {day}.',
    save: 'Save',
    saveNamed: 'Save the copy of {made}',
    saving: 'Saving, {size}',
    failed: 'We couldn’t save your copy',
    failedText: 'Try again in a few minutes.',
  },
  frozen: 'You can’t change this while your account is frozen.',

  password: {
    title: 'Password',
    note: 'Saving a new one logs you out on all other devices.',
    current: 'Current password',
    next: 'New password',
    confirm: 'Confirm password',
    hint: `${password.minDigits} digits or more`,
    unknown:
      'We didn’t get an answer, so we don’t know whether your password was changed. Press Update Password again to find out.',
    changedBefore:
      'This isn’t your current password. If you typed the old one correctly, your earlier press worked: use the new password from now on.',
  },

  sessions: {
    note: 'If you don’t recognize a session, end it and change your password.',
    loading: 'Loading sessions...',
    failed: 'We couldn’t load your sessions.',
    current: 'This device',
    loggedIn: 'Logged in {when}',
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

  push: {
    section: {
      title: 'Push notifications',
      note: 'On this device, even when Larkspur is closed.',
    },
    loading: 'Loading devices...',
    failed: 'We couldn’t load your devices.',
    off: 'Get a notification when money moves or your account changes.',
    turnOn: 'Turn on for this device',
    turningOn: 'Turning on...',
    refused: 'Your browser blocks notifications from this site. Allow them in its settings, then try again.',
    unsupported:
      'This browser can’t get push notifications. On an iPhone, add Larkspur to the Home Screen and open it there.',
    none: 'This bank doesn’t send push notifications.',
    money: 'Money in and out',
    security: 'Alerts, and changes to your password, limits and payees',
    showsAmounts: 'Show amounts and names, even on the lock screen',
    devices: 'Devices with push notifications',
    turnOff: 'Turn off',
    turnOffNamed: 'Turn off on {device}',
  },
  limits: {
    section: {
      title: 'Limits',
      note: 'For money that leaves your account. A lower limit works right away. We ask you to confirm a higher one.',
    },
    dailyOut: limitsMessages.dailyOut,
    dailyHint: 'The most you can send in one day, New York time. Leave it empty for no limit.',
    stepUpFrom: limitsMessages.stepUpFrom,
    stepUpHint: 'We ask you to confirm transfers of this amount or more.',
    bankAsks: 'From {amount} on, we always ask.',
    bankNeverAsks: 'If you leave it empty, we don’t ask.',
    loading: 'Loading limits...',
    failed: 'We couldn’t load your limits.',
    confirms: 'Confirm your new limits',
  },
  freeze: {
    section: {
      title: 'Freeze my account',
      note: 'If you think another person is using your account, stop all payments now.',
    },
    open: 'Your account is not frozen.',
    openText:
      'When you freeze it, you can’t send money. We skip scheduled transfers on their dates, and hold payments to other banks that we haven’t sent yet. Money can still arrive. To unfreeze it here, you’ll have to confirm that it’s you. For 24 hours after you reset your password by email, or after we change your email address, you can’t confirm with an email code. A new authenticator app or passkey can’t confirm transfers at first. Until it can, it can’t unfreeze your account.',
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
        text: `Transfers you send. We always email you about transfers of ${largeTransfer} or more.`,
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
    alwaysText: `We always tell you about your security, by email, in the app, or both: logins from new devices, new payees, scheduled transfers that you add, resume or change to send more, changes to your password or details, transfers of ${largeTransfer} or more that you send, and alerts about unusual payments.`,
  },

  deletion: {
    note: 'This can’t be undone.',
    lead: 'Before you delete your account:',
    history: 'You won’t see your transactions again. We keep the records, without your name.',
    balanceZero: 'Your balance is zero.',
    balanceLeft: 'You have {amount} in your account.',
    balanceSaved: 'You have {amount} in your account, including {saved} in savings goals.',
    sendIt: 'Send it first',
    takeOut: 'Take it out of your goals, then send it',
    nothingPending: 'You have no pending transfers.',
    onePending: 'One transfer is pending. This takes {days} business days.',
    manyPending: '{n} transfers are pending. This takes {days} business days.',
    seePending: 'See your transactions',
    checking: 'Checking...',
    unknown: 'We couldn’t check this.',
    met: 'Done',
    open: 'To do',
    gone: 'We erase your personal data, pictures and login right away. You can register with the same email again.',
    kept: 'We erase your login and almost everything else about you right away. The law requires us to keep your name, date of birth, contact details and ID document. We lock them away for {time}. You can register with the same email again.',
    oneYear: 'a year',
    years: '{n} years',
    notYet: 'You can’t delete your account yet',
    frozen: 'You can’t delete your account while it is frozen.',
    confirmTitle: 'Enter your password',
    confirmText: 'This permanently closes the account of {name} and cancels its scheduled transfers.',
    field: 'Password',
  },
} as const;
