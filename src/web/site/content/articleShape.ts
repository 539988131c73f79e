/** The types of an article's text. They have a file of their own, because each text is a separate chunk. */

export type ArticleTable = {
  caption: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
};

export type ArticleSection = {
  heading?: string;
  paragraphs: readonly string[];
  table?: ArticleTable;
  /** Steps or points, in order. */
  points?: readonly string[];
  /** A highlighted sentence. */
  keep?: string;
};

/** The text of an article. Title, lead and author are in the list of articles. */
export type ArticleText = readonly ArticleSection[];
