/** Whether an act will wait for a second person, from the amount and the number of approvers that the bank names. */
import { pollingOptions } from '../adminCalls.ts';
import { useFourEyesQuery } from '../staffCalls.ts';

/**
 * Returns whether an act of this many dollars needs a second person; without an amount, an act that always needs one if the
 * bank has two people who can approve. The bank decides again when the call arrives. `skip`: no act is being prepared.
 */
export function useSecondPerson(skip = false): (dollars?: number) => boolean {
  const { data } = useFourEyesQuery(undefined, { ...pollingOptions, skip });
  return dollars =>
    data !== undefined &&
    data.approvers >= 2 &&
    (dollars === undefined || (data.from !== null && dollars >= data.from));
}
