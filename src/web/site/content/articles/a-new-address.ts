/** Article: what to change first after a move or another change in life. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'Lives change faster than forms. People move, marry, lose a telephone, leave the employer who gave them their email address. None of it is a problem for a bank if the changes are made in the right order, and the right order is always the same: first whatever you need to get in, then whatever we need to reach you, and last whatever is only written on paper.',
    ],
  },
  {
    heading: 'First: the way in',
    paragraphs: [
      'You log in with an email address, a number that you chose and a code that is sent to that address. The email account is therefore the key to the key. If you are about to lose it, because you are leaving a school or a company, write to the Help Desk while you still can read it. Afterwards we must establish who you are by other means, and that takes longer.',
      'Give your mailbox a password of its own, used nowhere else. A thief who can read your mail needs only one more thing.',
    ],
  },
  {
    heading: 'Then: the way to you',
    paragraphs: [
      'Telephone number, address, region and ZIP code you change yourself, under Settings. It takes effect at once. If you have a new telephone but the old number, nothing has to change; nothing is installed on it, so nothing has to be moved. Log in on the new one, and log out on the old one before you give it away.',
    ],
    table: {
      caption: 'What changes where',
      head: ['What is new', 'Where', 'Takes effect'],
      rows: [
        ['Telephone number, address', 'Settings', 'At once'],
        ['Portrait, identity document', 'Settings', 'At once, then checked'],
        ['Password', 'Settings, or “Forgot your password?”', 'At once; other sessions end'],
        ['Name, email address', 'Help Desk', 'After we have checked it'],
      ],
    },
  },
  {
    heading: 'Last: the paper',
    paragraphs: [
      'A new name needs a document that shows both the old and the new one. Write to the Help Desk first; we say which document, and it is added under Settings like any other. Your account number does not change, so that payments under way arrive all the same.',
      'Make a list of everybody who pays you or whom you pay every month, and tell them in one evening. It is the part that people forget, and the part that costs fees elsewhere.',
    ],
    keep: 'Lose a telephone and you have lost a telephone. Lose a mailbox and you have lost the key: change that one first, and early.',
  },
];
