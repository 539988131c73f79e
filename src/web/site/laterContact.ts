/** What the contact form loads only once the visitor begins to fill it in, or comes with a prepared message. */
export { contactPrefill } from './contactPrefill.ts';
export { type Letter, type NotSent, sendContactMessage } from './sendContactMessage.ts';
