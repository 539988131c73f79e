/**
 * The five events as listed on the home page. Each repeats every month on the same weekday, so no date on the page is ever in
 * the past.
 */
import breakfast from '../art/event-breakfast.svg';
import firstHome from '../art/event-first-home.svg';
import fraudClinic from '../art/event-fraud-clinic.svg';
import saving from '../art/event-saving.svg';
import statement from '../art/event-statement.svg';
import type { MemberSlug } from './memberNames.ts';

export type Weekday = 'Mon' | 'Tue' | 'Wed' | 'Thu' | 'Fri' | 'Sat' | 'Sun';

export type EventCard = {
  slug: string;
  title: string;
  /** 'Thu' and '1st' mean the first Thursday of each month. */
  weekday: Weekday;
  week: string;
  /** The same as text, with the time. */
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
    text: 'Bring the listing you keep going back to. We work out what it would really cost you each month, on paper, with tea. You take the paper home.',
    image: firstHome,
    author: 'maren-holloway',
  },
  {
    slug: 'business-breakfast',
    title: 'Breakfast for new businesses',
    weekday: 'Wed',
    week: '2nd',
    when: 'Second Wednesday of each month, 8:00–9:00 AM',
    text: 'Coffee, one sheet of figures, and a lender who answers before you finish the question.',
    image: breakfast,
    author: 'jonas-whitlow',
  },
  {
    slug: 'statement-in-ten-minutes',
    title: 'Your statement in ten minutes',
    weekday: 'Tue',
    week: '2nd',
    when: 'Second Tuesday of each month, 12:30–1:00 PM',
    text: 'Bring one, from any bank. We read it together, from the top line to the small print.',
    image: statement,
    author: 'tomas-adeyemi',
  },
  {
    slug: 'fraud-clinic',
    title: 'The fraud clinic',
    weekday: 'Mon',
    week: '3rd',
    when: 'Third Monday of each month, 5:30–6:30 PM',
    text: 'Bring the message that worries you. We take it apart on the big screen.',
    image: fraudClinic,
    author: 'ilse-varga',
  },
  {
    slug: 'saving-for-later',
    title: 'Saving for the year after next',
    weekday: 'Sat',
    week: '4th',
    when: 'Fourth Saturday of each month, 10:00–11:00 AM',
    text: 'A quiet hour on dates, amounts and why the two should be set apart.',
    image: saving,
    author: 'jonas-whitlow',
  },
];
