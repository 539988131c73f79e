/** The bank's routing number, as the server wrote it into the page. A page without it (in development) has the default. */
import { bank } from '#contract/constants.ts';

const written = document.querySelector<HTMLMetaElement>('meta[name="routing-number"]')?.content ?? '';

export const routingNumber = /^[0-9]{9}$/.test(written) ? written : bank.routingNumber;
