/** The removal of a registration. Not in `register.ts`, which the page of the registration loads. */
import { registration } from '../constants.ts';

export const removable = `You can remove the registration for ${registration.provenInDays} days, as long as no one has logged in to it.`;
