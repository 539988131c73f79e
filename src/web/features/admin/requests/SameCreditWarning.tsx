/** Warns staff, before money goes to a customer, that the same credit was made in the last days. */
import type { ReactNode } from 'react';
import { shortDay, timeOfDay } from '#contract/bankTime.ts';
import type { RecentCredit } from '#contract/entities.ts';
import { fill } from '#contract/messages/fill.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { requestWords as words } from './requestWords.ts';

export const sameCreditText = (
  { timestamp, reference }: RecentCredit,
  message: string = staffMessages.sameCreditMade,
) => fill(message, { day: shortDay(timestamp), time: timeOfDay(timestamp), reference });

export type SameCreditWarningProps = {
  credit: RecentCredit;
  /** `credit` may be the one that the administrator is about to send again, because its answer was lost. */
  isMaybeOwn?: boolean;
  /** Another press requests the credit, and a second person approves it. */
  needsSecond?: boolean;
  /** A link to the credit. */
  action?: ReactNode;
};

export function SameCreditWarning({ credit, isMaybeOwn, needsSecond, action }: SameCreditWarningProps) {
  const own = needsSecond ? staffMessages.sameCreditOrOwnRequest : staffMessages.sameCreditOrOwn;
  return (
    <Banner kind="warning" title={words.sameCreditMade} action={action}>
      {sameCreditText(credit, isMaybeOwn ? own : undefined)}
    </Banner>
  );
}
