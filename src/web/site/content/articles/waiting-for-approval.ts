/** Article: what happens between the application and its approval. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'You have pressed Register, the page has thanked you, and now nothing seems to happen for a day. Something does. Your application has joined a short list that a person opens several times a day, and that person reads it from the top: name, address, telephone number, email address, picture.',
      'They are not looking for reasons to say no. They are looking for an application that one real person could have written about themselves. Most are, and take a few minutes.',
    ],
  },
  {
    heading: 'What slows it down',
    paragraphs: [
      'Three things do, and all three are easy to avoid. A picture in which nobody can be recognised. A telephone number with a digit missing. An address that stops after the street. None of them is a sin; each of them means that the reader has to stop and wonder.',
      'Nothing speeds it up. Applying twice does not, and the second application would be refused anyway, because one email address has one account.',
    ],
  },
  {
    heading: 'What you can do meanwhile',
    paragraphs: [
      'You can already log in. What you see then is a notice instead of a balance, and four useful doors:',
    ],
    points: [
      'Add a picture of an identity document, as JPEG, PNG or WebP. It is optional, it is checked separately, and every look at it by our staff is recorded.',
      'Correct your address or telephone number, if you found the missing digit yourself.',
      'Change your password, if you chose it in a hurry.',
      'Read your notifications. The approval will be one of them.',
    ],
  },
  {
    heading: 'Two words that mean two things',
    paragraphs: [
      'Approved means that you may bank here: your account number works, money can arrive and you can send it. Verified means that somebody has compared your identity document with you. They are separate decisions. You can be approved and not yet verified, and the account works all the same.',
      'Until you are approved the account number does not exist for other people. Somebody who types it is told that the account was not found. That is deliberate: no money should arrive at an account that nobody may use.',
    ],
    keep: 'We promise an answer within 24 to 48 hours. If the second day ends without one, write to the Help Desk and give the email address you applied with.',
  },
];
