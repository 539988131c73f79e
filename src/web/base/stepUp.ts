/**
 * Connects the calls that answer `STEP_UP_REQUIRED` with the panel that confirms them. The client (`ask.ts`) waits for a
 * proof and sends the same call again, so a screen only names what is confirmed.
 */
import type { StepUpChallenge } from '#contract/stepUp.ts';

/**
 * `confirms`: what the customer confirms, as the panel's title. `withoutApp`: the customer typed a recovery code instead of the
 * app's, so the app's code is the last way that the panel offers.
 */
export type StepUpAsked = { challenge: StepUpChallenge; confirms: string; withoutApp?: boolean | undefined };

/**
 * How a challenge ends: with a proof, or with the reason why it can't be confirmed. `again`: it is over, and the customer wants
 * a new one. Undefined if the customer cancels.
 */
export type StepUpEnd = { proof: string } | { reason: string } | 'again' | undefined;

/** Shows a challenge until it ends. */
type Host = (asked: StepUpAsked) => Promise<StepUpEnd>;

let host: Host | undefined;
/** The newest proof that was asked for. The next challenge waits for it, so that only one is shown at a time. */
let last: Promise<unknown> = Promise.resolve();

/** Sets the panel that shows challenges, until the returned function is called. */
export function hostStepUps(shown: Host): () => void {
  host = shown;
  return () => {
    if (host === shown) host = undefined;
  };
}

/** Shows a challenge and resolves to how it ends; to undefined if no panel is open. */
export function askForProof(asked: StepUpAsked): Promise<StepUpEnd> {
  const end = last.then(() => host?.(asked));
  last = end.catch(() => {});
  return end;
}
