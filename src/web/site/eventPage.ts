/** Metadata of an event page for search engines. */
import { bank } from '#contract/constants.ts';
import { findEvent } from './content/eventList.ts';
import { memberNames } from './content/memberNames.ts';
import type { MonthlyDay } from './eventDays.ts';

const days: Record<MonthlyDay['weekday'], string> = {
  Mon: 'Monday',
  Tue: 'Tuesday',
  Wed: 'Wednesday',
  Thu: 'Thursday',
  Fri: 'Friday',
  Sat: 'Saturday',
  Sun: 'Sunday',
};

/** Title, description and structured data of an event page. Throws if the slug is unknown. */
export function eventPage(slug: string) {
  const event = findEvent(slug);
  return {
    title: event.title,
    description: `${event.when}. ${event.text}`,
    card: 'event',
    facts: {
      '@type': 'EventSeries',
      name: event.title,
      description: event.text,
      isAccessibleForFree: true,
      location: { '@type': 'Place', name: bank.name, address: bank.address },
      organizer: { '@type': 'BankOrCreditUnion', name: bank.name },
      performer: { '@type': 'Person', name: memberNames[event.author].name },
      eventSchedule: {
        '@type': 'Schedule',
        repeatFrequency: 'P1M',
        byDay: `https://schema.org/${days[event.weekday]}`,
        byMonthWeek: Number.parseInt(event.week, 10),
        scheduleTimezone: bank.timeZone,
      },
    },
  };
}
