/**
 * Connects the calls that answer `STEP_UP_REQUIRED` with the panel that confirms them. The client (`ask.ts`) waits for a
 * proof and sends the same call again, so a screen only names what is confirmed.
 */
import type { StepUpChallenge } from '#contract/stepUp.ts';

/** `confirms`: what the customer confirms, as the panel's title. */
export type StepUpAsked = { challenge: StepUpChallenge; confirms: string };

/** Shows a challenge. Resolves to its proof, or to undefined if the customer cancels. */
type Host = (asked: StepUpAsked) => Promise<string | undefined>;

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

/** The proof of a challenge; undefined if the customer cancels or no panel is open. */
export function askForProof(asked: StepUpAsked): Promise<string | undefined> {
  const proof = last.then(() => host?.(asked));
  last = proof.catch(() => {});
  return proof;
}
