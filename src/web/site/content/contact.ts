/** Texts of the Help Desk page and the contact form. */
import { bank, code, login, maxLength } from '#contract/constants.ts';

export const contactText = {
  page: {
    title: 'Help Desk',
    description: 'Write to, call or visit Larkspur Bank.',
    card: 'help',
  },
  heading: 'Help Desk',
  lead: 'Ask us anything. If you write about a transfer, add its reference number.',
  visit: 'Visit',
  call: 'Call',
  email: 'Email',
  notSent: 'Your message was not sent. Your text is still here. Try again, or email us.',
  maybeSent: 'Your message may have reached us',
  maybeTwice: 'Your text is still here. If you send it again, we may get it twice.',
  cutOff: `A message can have at most ${maxLength.message.toLocaleString('en-US')} characters. Longer text is cut off.`,
  needsScript: 'The contact form needs JavaScript. Email us or call us instead.',
  safe: 'We never ask for your password or a code, in any message or on any call. If someone does, hang up and write to us.',
  questions: {
    title: 'Frequently asked questions',
    items: [
      {
        ask: 'I applied yesterday. Did you get my application?',
        answer:
          'Yes, if you got our welcome email. A person reads the application, usually within 24–48 hours, and we email you the answer.',
        link: 'What happens in the meantime',
        to: '/resources/waiting-for-approval',
      },
      {
        ask: 'I didn’t get my code.',
        answer: `Check your spam folder. After ${code.resendCooldownSeconds} seconds you can request another code. Only the newest code works, for ${code.lifeSeconds / 60} minutes.`,
        link: 'Back to the login',
        to: '/login',
      },
      {
        ask: 'I can’t log in, and I’m sure of my password.',
        answer: `After ${login.maxWrongPasswords} wrong attempts we lock the login for ${login.lockSeconds / 60} minutes and email you. Wait and try again, or set a new password right away.`,
        link: 'Set a new password',
        to: '/forgot-password',
      },
      {
        ask: 'I sent money to another bank, and it isn’t there.',
        answer:
          'It takes 3–7 business days. Until then the transfer is pending. If it is returned, you get the full amount back.',
        link: 'What happens each day',
        to: '/resources/three-to-seven-days',
      },
      {
        ask: 'I sent money to the wrong person.',
        answer:
          'If it went to another bank, open it under Transactions and cancel it if you still can. If you can’t, write to us right away with the reference number. Don’t send anything else to fix it.',
        link: 'What to do first',
        to: '/resources/after-a-wrong-transfer',
      },
      {
        ask: 'Someone has my phone, or I see a payment I didn’t make.',
        answer: `Freeze your account now under Settings, Security, or with the link at the end of our emails about a new login or a change to your account. After that, no money can leave it. Then set a new password and call us at ${bank.phone}.`,
        link: 'Set a new password',
        to: '/forgot-password',
      },
      {
        ask: 'Someone called me and asked for a code.',
        answer: `It wasn’t us. If you gave them a code, freeze your account under Settings, Security, or with the link at the end of our emails about a new login or a change to your account. Then change your password, which ends every other session, and call us at ${bank.phone}.`,
        link: 'How these calls work',
        to: '/resources/the-call-from-your-bank',
      },
      {
        ask: 'I have a new name or a new email address.',
        answer:
          'Write to us. For a new name we need a document. You can change your address and phone number yourself, under Settings.',
        link: 'What to change first',
        to: '/resources/a-new-address',
      },
      {
        ask: 'My account is frozen.',
        answer:
          'You can log in and see everything, and you can receive money, but you can’t send any. If you froze it, unfreeze it yourself under Settings, Security. If we froze it, write to us or call us.',
        link: 'When we freeze an account',
        to: '/terms-and-conditions',
      },
      {
        ask: 'I want to close my account.',
        answer:
          'Close it under Settings, with your password, once your balance is zero and nothing is pending. We then erase your details and pictures, except what the law requires us to keep.',
        link: 'What we erase',
        to: '/privacy-policy',
      },
    ],
  },
} as const;
