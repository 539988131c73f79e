/** Article: what to change first after a move or another change in life. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'People move, marry, lose a phone, or leave the employer who gave them their email address. None of this is a problem for your bank if you make the changes in the right order: first what you need to log in, then what we need to reach you, and last what is only on paper.',
    ],
  },
  {
    heading: 'First: how you log in',
    paragraphs: [
      'You log in with your email address, your password and a code that we send to that address. So your email account protects your bank account. If you are about to lose it, because you are leaving a school or a company, write to the Help Desk while you can still read it. Afterward we have to confirm who you are in other ways, and that takes longer.',
      'Give your email account a password that you use nowhere else. A thief who can read your email needs only your password to log in here.',
    ],
  },
  {
    heading: 'Then: how we reach you',
    paragraphs: [
      'You can change your phone number, address, region and ZIP code yourself, under Settings. The change takes effect right away. If you have a new phone but kept your number, your contact details stay the same. If you log in with a passkey, add another one on the new phone while you still have the old phone. If you use an authenticator app, remove it under Settings and set it up again on the new phone. Then log out on the old phone before you give it away.',
    ],
    table: {
      caption: 'Where to change what',
      head: ['What is new', 'Where', 'Takes effect'],
      rows: [
        ['Phone number, address', 'Settings', 'Right away'],
        ['Profile image', 'Settings', 'Right away'],
        ['ID document', 'Settings', 'After we have checked it'],
        ['Password', 'Settings, or “Forgot your password?”', 'Right away; other sessions end'],
        ['Name, email address', 'Help Desk', 'After we have checked it'],
      ],
    },
  },
  {
    heading: 'Last: the paperwork',
    paragraphs: [
      'For a new name we need a document that shows both the old name and the new one. Write to the Help Desk first. We’ll tell you which document, and you upload it under Settings. Your account number stays the same, so payments on their way still arrive.',
      'Make a list of everyone who pays you every month and everyone you pay, and send them your new details in one evening. If you forget this part, you can end up with late fees.',
    ],
    keep: 'A lost phone is only a phone. A lost email account locks you out: change that one first, and early.',
  },
];
