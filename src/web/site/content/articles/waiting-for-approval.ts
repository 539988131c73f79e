/** Article: what happens between the application and its approval. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'You pressed Register, the page said thank you, and now nothing seems to happen for a day. In fact your application is on a list that we open several times a day. A person reads it from top to bottom: name, address, phone number, email address, picture.',
      'We aren’t looking for reasons to say no. We check that the application describes one real person. Most do, and take a few minutes.',
    ],
  },
  {
    heading: 'What slows it down',
    paragraphs: [
      'Three things, and all of them are easy to avoid: a picture in which we can’t recognize you, a phone number that can’t be real, and an address without a house number. Each of them means that we have to stop and check.',
      'Nothing speeds it up. Applying twice doesn’t help: we refuse the second application, because each email address can have only one account.',
    ],
  },
  {
    heading: 'What you can do while you wait',
    paragraphs: [
      'You can log in right away. Instead of a balance you see a notice, and you can already do four things:',
    ],
    points: [
      'Upload a picture of your ID document, as JPEG, PNG or WebP, if you left it out of the application. We check it separately, and we record every time our staff views it.',
      'Add your date of birth and city, and correct your address or phone number if you found a mistake.',
      'Change your password, if you chose it in a hurry.',
      'Read your notifications. The approval will be one of them.',
    ],
  },
  {
    heading: 'Approved and verified',
    paragraphs: [
      'Approved means that you can bank here: your account number works, and you can receive and send money. Verified means that we have compared your ID document with your application. These are separate decisions. You can be approved and not yet verified, and your account works anyway.',
      'Until you are approved, other customers can’t find your account number. If they type it, they see “Account not found.” That is on purpose: no money should arrive in an account that can’t be used yet.',
    ],
    keep: 'We usually answer within 24–48 hours. If two days pass without an answer, write to the Help Desk from the email address you applied with.',
  },
];
