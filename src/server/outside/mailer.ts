/**
 * Sends mail over SMTP. A mail goes to exactly one plain address; anything that could inject a recipient or a header is
 * rejected before a server is contacted.
 */
import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import { emailPattern } from '#contract/fields.ts';
import { composeMessage } from './mimeMessage.ts';

/** A PNG picture inside a mail, which the HTML refers to as `cid:` and its id. */
export type InlineImage = { cid: string; filename: string; content: Buffer };

/** One mail. Its Message-ID is derived from `id`, so a retry after a lost answer can be recognized as the same mail. */
export type Mail = {
  to: string;
  subject: string;
  text: string;
  html: string;
  images?: readonly InlineImage[];
  replyTo?: string;
  id?: string;
};

export type Mailer = {
  /**
   * Resolves once the server accepted the mail. Throws if the server did not accept it, with SMTP's `responseCode` if the
   * server answered. Also throws if the mail must not be sent.
   */
  send(mail: Mail): Promise<void>;
  close(): void;
};

/** Enough for 500 mails a second if each takes 40 ms. Many mail servers allow a client no more connections. */
const connections = 20;
const connectTimeoutMs = 5_000;
const silenceTimeoutMs = 15_000;

/** Opens a pool of connections, each made on first use. `smtpUrl` is `smtp[s]://[user:password@]host[:port]`. */
export function openMailer(options: { smtpUrl: string; from: string }): Mailer {
  const from = parseMailFrom(options.from);
  const domain = from.address.slice(from.address.indexOf('@') + 1);
  const transport = createTransport({
    url: options.smtpUrl,
    pool: true,
    maxConnections: connections,
    maxMessages: 1_000,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    // No mail content may make nodemailer read a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ to, subject, text, html, images, replyTo, id }) {
      const receiver = plainAddress(to);
      if (hasControls(subject)) throw refuse('A subject is one line of plain text.');
      const name = (id ?? randomUUID()).replace(/[^A-Za-z0-9.-]/g, '-');
      const raw = composeMessage({
        from,
        to: receiver,
        replyTo: replyTo === undefined ? undefined : plainAddress(replyTo),
        messageId: `<${name}@${domain}>`,
        subject,
        text,
        html,
        images: images ?? [],
      });
      await transport.sendMail({ envelope: { from: from.address, to: [receiver] }, raw });
    },
    close: () => transport.close(),
  };
}

/** Parses `Name <address>` or a plain address. Throws a message for the operator who set `MAIL_FROM`. */
export function parseMailFrom(text: string): { name: string; address: string } {
  const match = /^(?:"?([^"<>\p{Cc}]*?)"?\s*<([^<>\s]+)>|([^<>\s]+))$/u.exec(text.trim());
  const address = (match?.[2] ?? match?.[3] ?? '').toLowerCase();
  if (!emailPattern.test(address)) throw new Error(`MAIL_FROM must be 'Name <address>', not '${text}'.`);
  return { name: match?.[1] ?? '', address };
}

function plainAddress(text: string): string {
  const address = text.toLowerCase();
  if (!emailPattern.test(address)) throw refuse('A mail goes to one plain address.');
  return address;
}

/** An error with a permanent SMTP code, so that the job is not retried. */
function refuse(why: string): Error {
  return Object.assign(new Error(why), { responseCode: 554 });
}

function hasControls(text: string): boolean {
  return /\p{Cc}/u.test(text);
}
