/** Texts of the Help Desk page and the contact form. */
import { code, login } from '#contract/constants.ts';

export const contactText = {
  page: {
    title: 'Help Desk',
    description: 'Write to, call or visit Larkspur Bank.',
    card: 'help',
  },
  heading: 'Help Desk',
  lead: 'Tell us what you see and what you expected to see. If it is about a transfer, add its reference number.',
  visit: 'Visit',
  call: 'Call',
  email: 'Email',
  notSent: 'Your message was not sent. Its words are still here; you can also write to the address beside.',
  safe: 'We never ask for your password or a code, in any message and on any call. If somebody does, hang up and write to us.',
  questions: {
    title: 'Asked most often',
    items: [
      {
        ask: 'My application is a day old. Is it lost?',
        answer: 'No. A person reads it within 24 to 48 hours, and a notification tells you.',
        link: 'What happens meanwhile',
        to: '/resources/waiting-for-approval',
      },
      {
        ask: 'The code does not arrive.',
        answer: `Look among the unwanted mail. After ${code.resendCooldownSeconds} seconds you can ask for another; only the newest one counts, for ${code.lifeSeconds / 60} minutes.`,
        link: 'Back to the login',
        to: '/login',
      },
      {
        ask: 'The login says no, and I am sure of the number.',
        answer: `After ${login.maxWrongPasswords} wrong tries it rests for ${login.lockSeconds / 60} minutes, for you and for whoever else is trying, and a mail tells you. Then try again, or choose a new password.`,
        link: 'Choose a new password',
        to: '/forgot-password',
      },
      {
        ask: 'I sent money to another bank and it is not there.',
        answer:
          'It takes 3–7 business days. Until then its row says Pending; if it comes back, it comes back in full.',
        link: 'Day by day',
        to: '/resources/three-to-seven-days',
      },
      {
        ask: 'I sent money to the wrong person.',
        answer: 'Write to us at once, with the reference number, and send nothing else to repair it.',
        link: 'The first minute',
        to: '/resources/after-a-wrong-transfer',
      },
      {
        ask: 'Somebody rang and asked me for a code.',
        answer:
          'It was not us. If you have said one, change the password now, which ends every other session, and then write to us.',
        link: 'How such calls go',
        to: '/resources/the-call-from-your-bank',
      },
      {
        ask: 'My name, or my email address, is a new one.',
        answer:
          'Address and telephone number you change yourself, under Settings. For these two write to us; a new name needs a document.',
        link: 'What to change first',
        to: '/resources/a-new-address',
      },
      {
        ask: 'The page says that my account is frozen.',
        answer:
          'You can log in and look, and money can arrive, but none leaves until a question is answered. Write to us.',
        link: 'What the bank may do',
        to: '/terms-and-conditions',
      },
      {
        ask: 'I want to close my account.',
        answer:
          'You do it under Settings, with your password, once the balance is zero and nothing is pending. Your details and pictures are then erased.',
        link: 'What is erased',
        to: '/privacy-policy',
      },
    ],
  },
} as const;
