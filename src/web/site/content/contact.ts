/** The words of the Help Desk and of the letter to it. */

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
  email: 'E-mail',
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
        ask: 'I do not know my password any more.',
        answer: 'Choose a new one with a code that we send to your e-mail address.',
        link: 'Choose a new password',
        to: '/forgot-password',
      },
      {
        ask: 'The page says that my account is frozen.',
        answer:
          'You can log in and look, and money can arrive, but none leaves until a question is answered. Write to us.',
        link: 'What the bank may do',
        to: '/terms-and-conditions',
      },
    ],
  },
} as const;
