/** Texts of the author pages. */
import type { MemberSlug } from './memberNames.ts';

export const memberTexts: Record<MemberSlug, { lead: string; paragraphs: readonly string[] }> = {
  'maren-holloway': {
    lead: 'Reads listings the way other people read novels, and asks on page one what the roof will cost.',
    paragraphs: [
      'Maren has worked out mortgages at kitchen tables for 18 years. She writes every payment schedule by hand once, because she thinks that you shouldn’t sell what you can’t calculate.',
      'Her rule for a first house: if you can only afford it in a good month, you can’t afford it.',
    ],
  },
  'tomas-adeyemi': {
    lead: 'Knows where a transfer is on any given Wednesday, and can explain it without the word “processing.”',
    paragraphs: [
      'Tomas used to work for the post office and still thinks of payments as mail: addressed, on the way, delivered, returned. He answers most of the questions that start with “I just wanted to know.”',
      'He reads new applications too, and has never turned one down for a bad hair day.',
    ],
  },
  'ilse-varga': {
    lead: 'Takes suspicious messages apart in public, and makes sure that everyone who believed one feels welcome.',
    paragraphs: [
      'Ilse looks after logins, codes, and every message that pretends to be from us. She collects the sentences that callers use and says there are only about five.',
      'If you write to her that something felt wrong, she will thank you, even if it turns out to be nothing.',
    ],
  },
  'jonas-whitlow': {
    lead: 'Visits a workshop before he opens its books, and opens its books before he says yes.',
    paragraphs: [
      'Jonas lends to businesses and institutions of any size. He also teaches savings, because, he says, it is the same subject with fewer zeros.',
      'He does his math in pencil, shows all of it, and is happy when you find a mistake.',
    ],
  },
};

export const memberWords = {
  articles: (name: string) => `Articles by ${name}`,
  events: (name: string) => `Meet ${name}`,
} as const;
