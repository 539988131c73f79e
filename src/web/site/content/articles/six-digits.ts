/** Article: how to choose a numeric password. Ours has six digits or more. */
import type { ArticleText } from '../articleShape.ts';

export const text: ArticleText = [
  {
    paragraphs: [
      'Your password here is a number of at least six digits. There are a million numbers of six digits, and if everybody chose one by rolling dice that would be plenty: five wrong tries close the login for a quarter of an hour, and a code that only you receive stands behind it. But people do not roll dice. They choose birthdays.',
    ],
  },
  {
    heading: 'What everybody else picked',
    paragraphs: [
      'Whenever a list of number passwords has come to light, the same few stood at the top. One digit six times over. A run, up or down. A run to three and back. Two digits by turns. The middle column of the pad. And dates: about 37,000 six-digit numbers are a day of the last hundred years, so that a birthday shrinks a million possibilities to less than one in twenty-seven, before anybody has looked at your public pages.',
      'When you type a run or a single digit repeated, our form says that it is easy to guess. It does not forbid it; it is your number. Take the hint all the same.',
    ],
  },
  {
    heading: 'Three ways to make one you will keep',
    paragraphs: [],
    points: [
      'A sentence, by its letters. “Every Sunday we eat soup at Ida’s house”: count the letters of each word and you have 5 6 2 3 4 2 5 5. Eight digits, and nothing to write down.',
      'Two numbers that have nothing to do with each other and never stood on paper together: the house number of your first school friend and the bus that went there. Put the shorter one in the middle of the longer one.',
      'Dice, or any honest source of chance. Write the number on paper, use it for a week until your fingers know it, and burn the paper.',
    ],
  },
  {
    heading: 'Longer costs nothing',
    paragraphs: [
      'The pad takes up to sixty-four digits. Each digit makes a number ten times harder to guess, so that eight are a hundred times better than six. A password manager may fill it in, and pasting works too.',
      'Use it here only. The number of your telephone’s lock, of your card and of your suitcase are three numbers that other people have watched you type.',
    ],
    keep: 'Not a date, not a run, not one digit over and over, and not a number that opens anything else.',
  },
];
