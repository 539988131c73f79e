/** Whether an act will wait for a second person, from what the bank answers about four eyes. */
import { pollingOptions } from '../adminCalls.ts';
import { useFourEyesQuery } from '../staffCalls.ts';

/**
 * Returns whether an act of this many dollars needs a second person; without an amount, an act that always needs one if the
 * bank has two. The bank decides again when the call arrives. `skip`: no act is being prepared.
 */
export function useSecondPerson(skip = false): (dollars?: number) => boolean {
  const { data } = useFourEyesQuery(undefined, { ...pollingOptions, skip });
  return dollars =>
    data?.isOn === true && (dollars === undefined || (data.from !== null && dollars >= data.from));
}
