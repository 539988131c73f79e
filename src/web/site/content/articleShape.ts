/** What an article's text is made of. Kept apart from the texts, each of which is fetched with its own page only. */

export type ArticleTable = {
  caption: string;
  head: readonly string[];
  /** The last cell of a row is set to the right, as figures are. */
  rows: readonly (readonly string[])[];
};

export type ArticleSection = {
  heading?: string;
  paragraphs: readonly string[];
  table?: ArticleTable;
  /** Steps or points, in their order. */
  points?: readonly string[];
  /** One sentence worth keeping. */
  keep?: string;
};

/** The text under an article's title. Title, lead and author stand in the list of articles. */
export type ArticleText = readonly ArticleSection[];
