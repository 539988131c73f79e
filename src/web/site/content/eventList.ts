/**
 * The five events, by week of the month. Each repeats every month on the same weekday; `eventDays.ts` computes the next date.
 */
import breakfast from '../art/event-breakfast.svg';
import firstHome from '../art/event-first-home.svg';
import fraudClinic from '../art/event-fraud-clinic.svg';
import saving from '../art/event-saving.svg';
import statement from '../art/event-statement.svg';
import type { MonthlyDay } from '../eventDays.ts';
import type { MemberSlug } from './memberNames.ts';

export type EventCard = MonthlyDay & {
  slug: string;
  title: string;
  /** The day as text, with the time. */
  when: string;
  text: string;
  image: string;
  author: MemberSlug;
};

export const eventList: readonly [EventCard, ...EventCard[]] = [
  {
    slug: 'first-home',
    title: 'First-home evening',
    weekday: 'Thu',
    week: '1st',
    when: 'First Thursday of each month, 6:00–7:30 PM',
    text: 'Bring the listing you love. Over tea, we work out what it would really cost you each month.',
    image: firstHome,
    author: 'maren-holloway',
  },
  {
    slug: 'statement-in-ten-minutes',
    title: 'Your statement in ten minutes',
    weekday: 'Tue',
    week: '2nd',
    when: 'Second Tuesday of each month, 12:30–1:00 PM',
    text: 'Bring one, from any bank. We read it together, from the first line to the fine print.',
    image: statement,
    author: 'tomas-adeyemi',
  },
  {
    slug: 'business-breakfast',
    title: 'Breakfast for new businesses',
    weekday: 'Wed',
    week: '2nd',
    when: 'Second Wednesday of each month, 8:00–9:00 AM',
    text: 'Coffee, one sheet of numbers, and a lender who answers your questions.',
    image: breakfast,
    author: 'jonas-whitlow',
  },
  {
    slug: 'fraud-clinic',
    title: 'The fraud clinic',
    weekday: 'Tue',
    week: '3rd',
    when: 'Third Tuesday of each month, 5:30–6:30 PM',
    text: 'Bring the message that worries you. We go through it together on the big screen.',
    image: fraudClinic,
    author: 'ilse-varga',
  },
  {
    slug: 'saving-for-later',
    title: 'Saving for next year',
    weekday: 'Sat',
    week: '4th',
    when: 'Fourth Saturday of each month, 10:00–11:00 AM',
    text: 'Plan how much to save and when, for the bills you already know about.',
    image: saving,
    author: 'jonas-whitlow',
  },
];

/** The event with this slug. Throws if there is none. */
export function findEvent(slug: string): EventCard {
  const event = eventList.find(one => one.slug === slug);
  if (!event) throw new Error(`There is no event ${slug}`);
  return event;
}
