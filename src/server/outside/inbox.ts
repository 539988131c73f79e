/**
 * The embedded inbox of local mode: a real SMTP server on loopback. Mails are shown in the browser instead of being delivered.
 * A mail is only accepted once it can be read here.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { Refusal } from '#contract/errors.ts';
import { renderInbox } from './inboxPage.ts';

/** A received mail; `at` is when it arrived. A mail to two addresses is stored as two. */
export type ReceivedMail = {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The pictures as `data:` URLs, by the id that the HTML names as `cid:<id>`. */
  images: ReadonlyMap<string, string>;
  at: Date;
};
type Content = Pick<ReceivedMail, 'subject' | 'text' | 'html' | 'images'>;

export type Inbox = {
  smtpUrl: string;
  /** The mails to one address, or all mails, newest first. */
  list(to?: string): ReceivedMail[];
  find(id: string): ReceivedMail | undefined;
  close(): Promise<void>;
};

/** The inbox as its pages read it, perhaps from another process. */
export type InboxReader = {
  list(to?: string): ReceivedMail[] | Promise<ReceivedMail[]>;
  find(id: string): ReceivedMail | undefined | Promise<ReceivedMail | undefined>;
};

/** Few enough that one busy address cannot reach `maxMails`, which would evict another address's code. */
const maxPerAddress = 100;
const maxMails = 5_000;
const maxListed = 500;
const maxMailBytes = 1024 * 1024;

/** Opens the SMTP server on a free loopback port. Mails are kept in memory. */
export async function openInbox(): Promise<Inbox> {
  const mails = new Map<string, ReceivedMail>();
  const byAddress = new Map<string, ReceivedMail[]>();
  let count = 0;

  const drop = (mail: ReceivedMail): void => {
    mails.delete(mail.id);
    const others = byAddress.get(mail.to)?.filter(other => other !== mail) ?? [];
    if (others.length > 0) byAddress.set(mail.to, others);
    else byAddress.delete(mail.to);
  };
  const store = (mail: ReceivedMail): void => {
    mails.set(mail.id, mail);
    const own = byAddress.get(mail.to) ?? [];
    own.push(mail);
    byAddress.set(mail.to, own);
    if (own.length > maxPerAddress) drop(own[0]!);
    if (mails.size > maxMails) drop(mails.values().next().value!);
  };

  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    size: maxMailBytes,
    onData(stream, session, answer) {
      const receivers = session.envelope.rcptTo.map(receiver => receiver.address.toLowerCase());
      read(stream).then(
        content => {
          const at = new Date();
          for (const to of receivers) store({ id: String(++count), to, ...content, at });
          answer();
        },
        (error: Error) => answer(error),
      );
    },
  });
  // Ignore clients that disconnect.
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;

  return {
    smtpUrl: `smtp://127.0.0.1:${port}`,
    list: to =>
      (to === undefined ? [...mails.values()] : [...(byAddress.get(to.toLowerCase()) ?? [])]).reverse(),
    find: id => mails.get(id),
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}

async function read(stream: SMTPServerDataStream): Promise<Content> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk as Buffer);
  if (stream.sizeExceeded) throw Object.assign(new Error('This mail is too large.'), { responseCode: 552 });
  const bytes = Buffer.concat(chunks);
  try {
    const parsed = await PostalMime.parse(bytes, { attachmentEncoding: 'base64' });
    const { subject = '', text = '', html = '', attachments } = parsed;
    const images = attachments.flatMap(({ contentId, mimeType, content }) =>
      contentId && typeof content === 'string'
        ? [[contentId.slice(1, -1), `data:${mimeType};base64,${content}`] as const]
        : [],
    );
    // Drop the final line break, which SMTP adds.
    return { subject, text: text.replace(/\r?\n$/, ''), html, images: new Map(images) };
  } catch {
    // Not parseable as a mail: show the raw text.
    return { subject: '', text: bytes.toString('utf8'), html: '', images: new Map() };
  }
}

const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const mailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox";

/** Registers `/dev/inbox`, its style sheet and mails, and `/dev/inbox.json?to=`. For local mode only. */
export function serveInbox(app: FastifyInstance, inbox: InboxReader): void {
  const style = readFileSync(new URL('./inbox.css', import.meta.url), 'utf8');

  app.get('/dev/inbox', async (request, reply) => {
    const to = queryParameter(request.query, 'to');
    return reply.headers(pageHeaders('text/html', pagePolicy)).send(renderInbox(await inbox.list(to), to));
  });
  app.get('/dev/inbox.css', (_request, reply) =>
    reply.headers(pageHeaders('text/css', pagePolicy)).send(style),
  );
  app.get('/dev/inbox.json', async request =>
    (await inbox.list(queryParameter(request.query, 'to')))
      .slice(0, maxListed)
      .map(({ to, subject, text, html, at }) => ({ to, subject, text, html, at })),
  );
  app.get<{ Params: { id: string } }>('/dev/inbox/:id', async (request, reply) => {
    const mail = await inbox.find(request.params.id);
    if (!mail) throw new Refusal('NOT_FOUND');
    const isHtml = mail.html !== '';
    return reply
      .headers(pageHeaders(isHtml ? 'text/html' : 'text/plain', mailPolicy))
      .send(
        isHtml ? mail.html.replace(/cid:([^"]*)/g, (whole, cid) => mail.images.get(cid) ?? whole) : mail.text,
      );
  });
}

function pageHeaders(type: string, policy: string): Record<string, string> {
  return {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  };
}

function queryParameter(query: unknown, name: string): string | undefined {
  const value = (query as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
