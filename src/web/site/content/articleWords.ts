/** Texts around an article. */

export const articleWords = {
  research: 'Research',
  minutes: (count: number) => `${count} min read`,
  next: 'Read next',
  all: 'All articles',
  general:
    'This page explains how things work in general. Your own case may differ. Ask the Help Desk before a big decision.',
} as const;
