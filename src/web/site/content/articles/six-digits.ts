/** Article: how to choose a numeric password. Ours has six digits or more. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'Your password here is a number with at least six digits. There are a million six-digit numbers. If everyone rolled dice to choose one, that would be plenty: five wrong attempts lock the login for 15 minutes, and logging in also takes a code that we send only to you. But people don’t roll dice. They choose birthdays.',
    ],
  },
  {
    heading: 'What everyone else picks',
    paragraphs: [
      'Whenever a list of stolen PINs is published, the same few are at the top: one digit six times, a run up or down, 1-2-3 twice, two digits that alternate, 1-4-7-2-5-8 (two columns of the keypad). And dates. About 36,500 six-digit numbers are dates of the last hundred years, so a thief who expects a birthday has to try only one number in 27, and still fewer after a look at your public profiles.',
      'When you type a run or one repeated digit, our form says that it is easy to guess. It still accepts it, because the choice is yours. We recommend that you take the hint.',
    ],
  },
  {
    heading: 'Three ways to choose a number you’ll remember',
    paragraphs: [],
    points: [
      'Use a sentence. “Every Sunday we eat soup at Nora’s house”: count the letters of each word and you get 5 6 2 3 4 2 5 5. That is eight digits, and you don’t have to write anything down.',
      'Combine two unrelated numbers that were never written down together, such as the house number of your first friend from school and the bus that went there. Put the shorter one in the middle of the longer one.',
      'Roll dice. Write the number on paper, use it for a week until your fingers know it, and then destroy the paper.',
    ],
  },
  {
    heading: 'Longer costs nothing',
    paragraphs: [
      'The keypad accepts up to 64 digits. Each digit makes a number ten times harder to guess, so eight digits are a hundred times better than six. A password manager can fill it in, and pasting works too.',
      'Use this number only here. Other people have watched you type the codes of your phone, your card and your suitcase.',
    ],
    keep: 'Not a date, not a run, not one repeated digit, and not a number that opens anything else.',
  },
];
