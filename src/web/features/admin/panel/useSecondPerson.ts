/** Predicts from the bank's four-eyes setting whether an act will wait for a second person. */
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { useFourEyesQuery } from '../staffCalls.ts';

/**
 * Returns a function that says whether an act of this many dollars needs a second person. Call it without an amount for acts
 * that always need a second person. The bank decides again when the call arrives. `skip`: no act is being prepared.
 */
export function useSecondPerson(skip = false): (dollars?: number) => boolean {
  const { data } = useFourEyesQuery(undefined, { ...pollingOptions, skip });
  return dollars =>
    data?.isOn === true && (dollars === undefined || (data.from !== null && dollars >= data.from));
}
