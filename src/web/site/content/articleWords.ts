/** Texts around an article. */

export const articleWords = {
  research: 'Research',
  takes: 'Takes',
  minutes: (count: number) => `${count} minutes`,
  next: 'Read next',
  all: 'All articles',
  general:
    'This page explains how things work in general. Your own case may differ; ask the Help Desk before you decide something large.',
} as const;
