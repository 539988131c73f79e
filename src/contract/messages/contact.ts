/** Texts of the contact form. */
export const name = 'Name';
export const email = 'Email';
export const subject = 'Subject';
export const message = 'Message';
export const send = 'Send Message';
export const sending = 'Sending...';
export const sent = 'Message sent successfully!';
