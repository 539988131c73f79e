/** Texts of the author pages. */
import type { MemberSlug } from './memberNames.ts';

export const memberTexts: Record<MemberSlug, { lead: string; paragraphs: readonly string[] }> = {
  'maren-holloway': {
    lead: 'Reads listings the way other people read novels, and asks on page one what the roof will cost.',
    paragraphs: [
      'Maren has worked out mortgages at kitchen tables for eighteen years. She writes every payment down by hand once, because she thinks that whoever cannot do that should not be selling it.',
      'Her rule for a first house: if the sum only works in a good month, it does not work.',
    ],
  },
  'tomas-adeyemi': {
    lead: 'Knows where a transfer is on a Wednesday, and can say it without the word “processing”.',
    paragraphs: [
      'Tomas came from the post office and still thinks of money as letters: addressed, under way, arrived, returned. He answers most of the questions that begin with “I only wanted to know whether”.',
      'He reads new applications too, and has never yet refused one for bad handwriting in a photograph.',
    ],
  },
  'ilse-varga': {
    lead: 'Takes suspicious messages apart in public, gently, so that nobody need be ashamed of having believed one.',
    paragraphs: [
      'Ilse looks after the doors: logins, codes, and everything that pretends to be us. She collects the sentences that callers use and says there are only about five.',
      'If you write to her that something felt wrong, she will thank you, also when it was nothing.',
    ],
  },
  'jonas-whitlow': {
    lead: 'Visits workshops before he opens their books, and opens their books before he says yes.',
    paragraphs: [
      'Jonas lends to firms of one and institutions of hundreds, and teaches savings on the side because, he says, it is the same subject with fewer zeros.',
      'He does his arithmetic in pencil, shows all of it, and is pleased when somebody finds a mistake.',
    ],
  },
};

export const memberWords = { articles: 'Written', events: 'In person' } as const;
