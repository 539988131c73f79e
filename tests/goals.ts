/** A savings goal for tests of the web app. */
import type { Goal } from '#contract/goals.ts';

export const piano: Goal = {
  _id: '01890000-0000-7000-8000-000000000000',
  name: 'Piano',
  picture: 'star',
  target: 500,
  saved: 40,
  roundUp: false,
  createdAt: '2026-11-01T12:00:00.000Z',
};
