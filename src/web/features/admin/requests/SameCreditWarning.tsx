/** Warns staff, before money goes to a customer, that the same credit was made in the last days. */
import type { ReactNode } from 'react';
import { shortDay, timeOfDay } from '#contract/bankTime.ts';
import type { RecentCredit } from '#contract/entities.ts';
import { fill } from '#contract/messages/fill.ts';
import * as staffMessages from '#contract/messages/staff.ts';
import { Banner } from '#web/ui/Banner.tsx';
import { requestWords as words } from './requestWords.ts';

export const sameCreditText = ({ timestamp, reference }: RecentCredit) =>
  fill(staffMessages.sameCreditMade, { day: shortDay(timestamp), time: timeOfDay(timestamp), reference });

/** `action`: a link to the credit. */
export function SameCreditWarning({ credit, action }: { credit: RecentCredit; action?: ReactNode }) {
  return (
    <Banner kind="warning" title={words.sameCreditMade} action={action}>
      {sameCreditText(credit)}
    </Banner>
  );
}
