/** Article: how to recognize and end a call from a person who pretends to be the bank. */
import { bank } from '#contract/constants.ts';
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'Your phone shows your bank’s number. The caller is friendly, a little rushed, and knows your name and the last digits of your card. There has been a suspicious payment, the caller says, and we can still stop it together. None of this is true. The number on your screen can be faked, names and card digits are for sale, and the payment hasn’t happened yet. The caller wants you to make it.',
    ],
  },
  {
    heading: 'Five sentences that callers use',
    paragraphs: ['The stories change. The sentences hardly do.'],
    points: [
      '“I’m sending you a code. Please read it to me.” The code logs in, confirms a payment or sets a new password. Anyone who has it can act as you.',
      '“Move your money to a safe account while we look into it.” There is no safe account. If your account is in danger, we freeze it, and the money stays where it is.',
      '“Don’t tell anyone; an employee may be involved.” Only a thief needs you to be alone.',
      '“You have to decide now.” A bank can wait until tomorrow. So can you.',
      '“Let me help you. Just install this program.” It shows your screen to the caller, and then it presses your buttons.',
    ],
  },
  {
    heading: 'The sentence that ends the call',
    paragraphs: [
      'Say: “I’ll call you back at a number that I look up myself.” Then hang up, wait a minute, and call the number on your bank’s own website. Type in the website’s address yourself. An honest caller will be glad. A dishonest caller will explain why that isn’t possible this time, and that is your proof.',
      'You don’t owe a caller anything more. You don’t have to explain, and you don’t have to be sure.',
    ],
  },
  {
    heading: 'What we never ask',
    paragraphs: [
      'Larkspur never asks for your password or a code, in any message or on any call. An email with a code says what the code is for. If you get a login code that you didn’t ask for, another person has typed your password: change it. Every other session ends right away.',
      `If you have already read a code to a caller, do this in order: freeze your account, change your password, check Transactions, and call us at ${bank.phone}. You freeze it under Settings, Security, or without logging in, with the link at the end of our emails about a new login or a change to your account. No money can leave a frozen account. We’ll help you, and we won’t blame you. The people who make these calls do it all day, and they are good at it.`,
    ],
    keep: 'Hang up, wait a minute, and call back at a number you looked up yourself.',
  },
];
