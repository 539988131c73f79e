/** Article: how to recognize and end a call from a person who pretends to be the bank. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'The telephone shows your bank’s number. The voice is friendly, a little hurried, and knows your name and the last digits of your card. There has been a suspicious payment, it says, and we can still stop it together. Nothing in that sentence is true. The number on a screen can be forged, names and digits are for sale, and the payment has not happened yet. You are about to make it.',
    ],
  },
  {
    heading: 'Five sentences that callers use',
    paragraphs: ['The stories change. The sentences hardly do.'],
    points: [
      '“I am sending you a code; please read it to me.” The code is for logging in, or for resetting your password. Whoever has it is you.',
      '“Move your money to a safe account while we look into it.” There is no safe account. If an account of ours is in danger, we freeze it, and the money stays where it is.',
      '“Do not tell anybody; an employee may be involved.” Only a thief needs you to be alone.',
      '“You must decide now.” A bank has until tomorrow. So do you.',
      '“Let me help you; just install this program.” It shows him your screen, and then it presses your buttons.',
    ],
  },
  {
    heading: 'The one that ends the call',
    paragraphs: [
      'Say: “I will call you back at the number I have.” Then hang up, wait a minute, and call the number on the bank’s own site, typed by yourself. An honest caller will be pleased. A dishonest one will have a reason why that is impossible this once, and the reason is the proof.',
      'You owe a stranger on the telephone no politeness beyond that. You need not explain, and you need not be sure.',
    ],
  },
  {
    heading: 'What we never ask',
    paragraphs: [
      'Larkspur never asks for your password or for a code, in any message and on any call, and never sends you a link to log in. A mail that brings a code says what the code is for. If one arrives that you did not ask for, somebody has typed your password: change it. Every other session ends that moment.',
      'If you have already said a code, the order is this: log in and change the password, look under Transactions, write to the Help Desk. You will be helped and not scolded. The people who make these calls do it all day, and they are good at it.',
    ],
    keep: 'Hang up, wait a minute, call back at a number you looked up yourself.',
  },
];
