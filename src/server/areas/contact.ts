/** Handler of the contact form. */
import type { contactApi } from '#contract/contact.ts';
import type { Handlers } from '../http/serve.ts';

export function contactHandlers(): Handlers<typeof contactApi> {
  return { sendMessage: 'notBuilt' };
}
