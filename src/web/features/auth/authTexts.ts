/** The auth pages' texts that the specification does not fix; those it fixes are in the contract's messages. */

import { bank, code, factorTrust, password, registration, terms } from '#contract/constants.ts';
import * as appMessages from '#contract/messages/app.ts';

const codeMinutes = code.lifeSeconds / 60;

/** The title when a call failed but the bank may have carried it out. */
export const unsureTitle = 'Something went wrong';

export const loginText = {
  title: 'Welcome back',
  lead: 'Enter your password. We’ll email you a code.',
  email: 'Email',
  password: 'Password',
  newHere: 'New here?',
  openAccount: 'Open an account',
  toApplication: 'Go to my application',
  quote: 'Every dollar, written down properly.',
  promise:
    'We will never call you to ask for your password or a code. If someone does, hang up and contact the Help Desk.',
} as const;

export const codeText = {
  title: 'Check your email',
  legend: 'Six-digit code',
  box: (place: number) => `Digit ${place} of ${code.length}`,
  sentTo: { before: 'We sent a six-digit code to', after: `. It works for ${codeMinutes} minutes.` },
  perhapsSentTo: { before: 'Check the inbox of', after: `. The code works for ${codeMinutes} minutes.` },
  junk: 'Didn’t get it? Check your spam folder.',
  wrongCode: 'Check the code in the newest email, or request another one.',
  mayBeUsed: 'Your code may already have been used. If it doesn’t work, log in again.',
  used: 'Your earlier press may have used this code. Log in again.',
  mayBeTooLate: 'It’s been a while since you entered your password. If your code doesn’t work, log in again.',
  tooLate: 'You entered your password too long ago. Log in again.',
  again: 'Log in again',
  incomplete: `Please enter all ${code.length} digits`,
} as const;

export const registerText = {
  title: 'Open an account',
  lead: `You must be ${terms.minimumAge} or older. This takes about three minutes. You need your address and a picture of yourself.`,
  optionalNote: 'Fields are required unless marked optional.',
  quote: 'Read by a person, not by a score.',
  promise: 'A member of our team reviews every application.',
  mayBeDone:
    'An account with this email already exists. Your first try may have reached us. If we sent you a welcome email, log in.',
  stepsTitle: 'What happens next',
  steps: [
    { title: 'You register', text: 'Add your ID document now or later.' },
    {
      title: 'We review your application',
      text: `This usually takes ${registration.approvalHours} hours. You can log in while you wait.`,
    },
    { title: 'You start banking', text: 'We’ll email you when your account is approved.' },
  ],
  haveOne: 'Already have an account?',
  submit: 'Register',
  terms: { before: 'By registering, you accept our', link: 'terms and conditions', after: '.' },
  opensTab: 'opens in a new tab',
  sections: {
    person: { title: 'You', note: 'As shown on your ID' },
    home: { title: 'Your home', note: 'Your mailing address' },
    contact: { title: 'Contact', note: 'We’ll send login codes to this email' },
    password: { title: 'Your password', note: `${password.minDigits} digits or more` },
    pictures: { title: 'Your pictures', note: 'Only you and the bank can see them' },
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
    idCard: 'ID document',
  },
  genders: { male: 'Male', female: 'Female' },
  addressHint: 'Street and number, apartment',
  regionHint: 'In the US, your state',
  phoneHint: '10 digits',
  idCardHint: 'You can add it later in Settings.',
  missing: appMessages.fillIn,
  uploading: 'Sending your application',
  waiting: 'Sent. Waiting for an answer',
  checkFields: 'Check these fields:',
  doneTitle: 'Thank you, {firstName}',
  failedTitle: 'We couldn’t register you',
} as const;

export const forgotText = {
  title: 'Reset your password',
  lead: 'Enter your email. We’ll send you a code.',
  send: 'Send code',
  codeTitle: 'Check your email',
  codeRefused:
    '{message}. Enter the code again or request another one. You don’t have to type your new password again.',
  mayBeChanged:
    '{message}. Your earlier press may have changed your password: try to log in with the new one. If that doesn’t work, request another code.',
  noAnswer:
    'We didn’t get an answer, so your password may already be changed. Press Save new password again to find out.',
  proceed: 'Continue',
  passwordTitle: 'Choose a new password',
  passwordLead: 'Saving it logs you out on all devices.',
  password: 'New password',
  passwordHint: `${password.minDigits} digits or more`,
  repeat: 'Confirm password',
  save: 'Save new password',
  step: 'Step {step} of 3',
  quote: 'A new password in three steps.',
  promise:
    'We can’t see your password, and we will never ask for it. A code sent to your email lets you set a new one.',
  remembered: 'Remember your password?',
  doneTitle: 'Password updated',
  failedTitle: 'Your password was not changed',
} as const;

export const freezeText = {
  title: 'Freeze your account?',
  refusedTitle: 'Freeze your account',
  lead: 'We stop all money from leaving your account and log you out on all devices. Money can still arrive.',
  press: 'Freeze my account',
  doneTitle: 'Your account is frozen',
  next: [
    'First, set a new password. Then log in and look at your transactions.',
    `If you see one that you didn’t make, or can’t log in, call us: ${bank.phone}.`,
    `Later, unfreeze your account with an authenticator app or a passkey that could already confirm transfers before the freeze. If you have none, you can unfreeze it by email ${factorTrust.waitHours} hours after you set the new password.`,
  ],
  newPassword: 'Set a new password',
  failedTitle: 'Nothing was changed',
  unknownTitle: 'We don’t know yet whether your account was frozen',
  earlierTitle: 'Your earlier press may have frozen your account',
  quote: 'Stop the money first. We’ll sort out the rest.',
  promise: `You can unfreeze the account yourself after you log in. If you reset your password by email, you may have to wait ${factorTrust.waitHours} hours.`,
  wasMe: 'Was it you? Then you don’t need to do anything.',
} as const;
