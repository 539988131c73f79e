/** Text about removing a registration. In a file of its own because the registration page loads all of `register.ts`. */
import { registration } from '../constants.ts';

export const removable = `You can remove the registration within ${registration.provenInDays} days, until someone logs in to it.`;
export const removableAfterReset = `You can remove the registration within ${registration.provenInDays} days, until we approve the account.`;
