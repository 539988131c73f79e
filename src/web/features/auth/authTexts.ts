/** The auth pages' texts that the specification does not fix; those it fixes are in the contract's messages. */
import { bank, code, password, registration } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';

const codeMinutes = code.lifeSeconds / 60;

/** The title of a failure that may have taken effect anyway. */
export const unsureTitle = 'Something went wrong';

export const loginText = {
  title: 'Welcome back',
  lead: 'First your number password, then a code by email.',
  email: 'Email',
  password: 'Password',
  newHere: 'New here?',
  openAccount: 'Open an account',
  quote: 'Every dollar, written down properly.',
  promise:
    'We will never ring you to ask for your password or a code. If someone does, hang up and write to the Help Desk.',
} as const;

export const codeText = {
  title: 'Check your email',
  legend: 'Six-digit code',
  box: (place: number) => `Digit ${place} of ${code.length}`,
  sentTo: { before: 'We sent six digits to', after: `; they work for ${codeMinutes} minutes.` },
  perhapsSentTo: { before: 'If so, it comes to', after: ` and works for ${codeMinutes} minutes.` },
  junk: 'Nothing there? Look in junk mail.',
  incomplete: `Please enter all ${code.length} digits`,
} as const;

export const registerText = {
  title: 'Open an account',
  lead: 'About three minutes. You need your address and a picture of yourself.',
  optionalNote: 'Everything is needed unless it says optional.',
  quote: 'Read by a person, not by a score.',
  promise: `Someone at the bank looks at every application. That usually takes ${registration.approvalHours} hours; you may log in meanwhile and see how it stands.`,
  haveOne: 'Already with us?',
  submit: 'Register',
  sections: {
    person: { title: 'You', note: 'As it stands in your ID.' },
    home: { title: 'Your home', note: 'Where letters reach you.' },
    contact: { title: 'Staying in touch', note: 'Login codes go to this email.' },
    password: { title: 'Your password', note: 'Six digits or more. You log in with it.' },
    pictures: { title: 'Your pictures', note: 'Seen by you and the bank only.' },
  },
  fields: {
    firstName: 'First name',
    middleName: 'Middle name',
    lastName: 'Last name',
    gender: 'Gender',
    address: 'Address',
    region: 'Region',
    zipCode: 'ZIP code',
    email: 'Email',
    phoneNumber: 'Phone number',
    password: 'Password',
    avatar: 'Profile image',
    idCard: 'ID card',
  },
  genders: { male: 'Male', female: 'Female' },
  phoneHint: '10 digits, without spaces',
  idCardHint: `${appMessages.imageLimits}. You can also hand it in later, in Settings.`,
  missing: appMessages.fillIn,
  uploading: 'Sending your application',
  waiting: 'Sent. Waiting for the answer',
  checkFields: 'Please look again at:',
  doneTitle: 'Thank you, {firstName}',
  failedTitle: 'Nothing was registered',
} as const;

export const forgotText = {
  title: 'A new password',
  lead: 'Tell us your email. We send a code, and with it you choose new digits.',
  send: 'Send code',
  codeTitle: 'Check your email',
  codeRefused: '{message}. Your new digits are kept; type the code again or ask for another one.',
  proceed: 'Continue',
  passwordTitle: 'Choose new digits',
  passwordLead: 'When you save them, every open session ends.',
  password: 'New password',
  passwordHint: `${password.minDigits} digits or more`,
  repeat: 'Repeat new password',
  save: 'Save new password',
  step: 'Step {step} of 3',
  quote: 'Locks can be changed. The ledger cannot.',
  promise: `Nobody at ${bank.name} can see your password, so nobody can tell it to you. A code to your own email is the way back in.`,
  remembered: 'Remembered it?',
  doneTitle: 'Done',
  failedTitle: 'That did not work',
} as const;

export const notMeText = {
  title: 'Remove this registration?',
  lead: `If you didn't register at ${bank.name}, another person used your email address. You can remove the registration with everything that was entered. If you registered yourself, there is nothing to do.`,
  remove: 'Remove the registration',
  doneTitle: 'Removed',
  failedTitle: 'Nothing was removed',
  quote: 'Your email is yours.',
  promise:
    'Anyone can type any email address. Until a login has proven that this one is yours, you can remove the registration.',
  wasMe: 'Was it you?',
} as const;
