/**
 * Sends mail over SMTP. A mail goes to exactly one plain address; anything that could inject a recipient or a header is
 * rejected before a server is contacted.
 */
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import { emailPattern } from '#contract/constants.ts';
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
  /** Mails that many customers get at a time. They use other connections than login codes. */
  isBulk?: boolean;
};

export type Mailer = {
  /**
   * Resolves once the server accepted the mail. Throws if the server did not accept it, with SMTP's `responseCode` if the
   * server answered. `isUnconfirmed` says that the server has the mail and did not answer: it may have accepted it. Also throws
   * if the mail must not be sent. An attempt that has thrown sends nothing later.
   */
  send(mail: Mail): Promise<void>;
  close(): void;
};

/**
 * Mails of the job queue have as many connections as the queue has slots, so a login code never waits for the mails about
 * transfers. Many mail servers allow a client only 20 connections. They are enough for 500 mails a second if each takes 40 ms.
 */
const connections = { urgent: 5, bulk: 15 };
const connectTimeoutMs = 5_000;
const silenceTimeoutMs = 15_000;
/** How long a mail may take to get a connection and to be sent. */
const sendTimeoutMs = 60_000;
/**
 * How long the server may take to answer once it has the whole mail: it may still check the content. A mail that is answered
 * later is sent again, so RFC 5321 (4.5.3.2.6) asks for ten minutes. Such a wait would delay the other mails of a batch too
 * long.
 */
const answerTimeoutMs = 60_000;
/**
 * How many mails of each kind may wait for an answer longer than `silenceTimeoutMs`. If more would have to, the server probably
 * hangs, and other mails need the connections and the slots of the queue.
 */
const maxPatient = { urgent: 2, bulk: 10 };

/** Opens two pools of connections, each made on first use. `smtpUrl` is `smtp[s]://[user:password@]host[:port]`. */
export function openMailer(options: { smtpUrl: string; from: string }): Mailer {
  const from = parseMailFrom(options.from);
  const domain = from.address.slice(from.address.indexOf('@') + 1);
  const pools = {
    urgent: openPool(options.smtpUrl, connections.urgent, maxPatient.urgent),
    bulk: openPool(options.smtpUrl, connections.bulk, maxPatient.bulk),
  };
  return {
    async send({ to, subject, text, html, images, replyTo, id, isBulk = false }) {
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
      await pools[isBulk ? 'bulk' : 'urgent'].send({ envelope: { from: from.address, to: [receiver] }, raw });
    },
    close() {
      for (const pool of Object.values(pools)) pool.close();
    },
  };
}

type Message = { envelope: { from: string; to: string[] }; raw: Buffer | string };

function openPool(smtpUrl: string, maxConnections: number, patientMails: number) {
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections,
    maxMessages: 1_000,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: silenceTimeoutMs,
    // No mail content may make nodemailer read a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  let patient = 0;
  transport.use('stream', (mail, done) => {
    const { onSent } = mail.data as { onSent?: (socket: Socket | undefined) => void };
    mail.message.processFunc(content => content.once('end', () => onSent?.(socketOf(transport, mail))));
    done();
  });
  return {
    async send(message: Message): Promise<void> {
      const late = new AbortController();
      const abort = () => late.abort();
      let timer = setTimeout(abort, sendTimeoutMs).unref();
      let [isSent, isPatient] = [false, false];
      let socket: Socket | undefined;
      const awaitLonger = () => {
        if (patient >= patientMails) return abort();
        patient++;
        isPatient = true;
        timer = setTimeout(abort, answerTimeoutMs - silenceTimeoutMs).unref();
      };
      const onSent = (used: Socket | undefined) => {
        isSent = true;
        clearTimeout(timer);
        timer = setTimeout(awaitLonger, silenceTimeoutMs).unref();
        // The library has one timeout for every silence. `timer` replaces that timeout until the answer arrives.
        socket = used?.setTimeout(0);
      };
      try {
        const watched = { ...message, signal: late.signal, onSent };
        await transport.sendMail(watched);
      } catch (error) {
        const { responseCode } = error as { responseCode?: number };
        const cause = late.signal.aborted ? { code: 'ETIMEDOUT' } : {};
        throw Object.assign(
          error as Error,
          cause,
          isSent && responseCode === undefined && { isUnconfirmed: true },
        );
      } finally {
        clearTimeout(timer);
        if (isPatient) patient--;
        socket?.setTimeout(silenceTimeoutMs);
      }
    },
    close: () => transport.close(),
  };
}

/**
 * The connection that sends a mail. It is not part of the library's documented interface. If another version hides it, a
 * mail waits for its answer only `silenceTimeoutMs`.
 */
function socketOf(transport: object, mail: object): Socket | undefined {
  type Connection = { queueEntry?: { mail: object } | false; connection?: { _socket?: Socket | null } };
  const { transporter } = transport as { transporter: { _connections?: Connection[] } };
  const found = transporter._connections?.find(({ queueEntry }) => queueEntry && queueEntry.mail === mail);
  return found?.connection?._socket ?? undefined;
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
