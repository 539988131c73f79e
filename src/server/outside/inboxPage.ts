/**
 * The pages of the embedded inbox: the list, each mail as its receiver sees it, and the same as JSON for tests. Without
 * script, and with nothing inside a mail able to run or to load.
 */
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { bank } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import type { Inbox, ReceivedMail } from './inbox.ts';

const refreshSeconds = 3;
const shownAtMost = 200;

const pagePolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const mailPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox";

/** Registers `/dev/inbox`, its style sheet and mails, and `/dev/inbox.json?to=`. For local mode only. */
export function serveInbox(app: FastifyInstance, inbox: Inbox): void {
  const style = readFileSync(new URL('./inbox.css', import.meta.url), 'utf8');

  app.get('/dev/inbox', (request, reply) => {
    const to = one(request.query, 'to');
    return reply.headers(page('text/html', pagePolicy)).send(listPage(inbox.list(to), to));
  });
  app.get('/dev/inbox.css', (_request, reply) => reply.headers(page('text/css', pagePolicy)).send(style));
  app.get('/dev/inbox.json', request =>
    inbox
      .list(one(request.query, 'to'))
      .map(({ to, subject, text, html, at }) => ({ to, subject, text, html, at })),
  );
  app.get<{ Params: { id: string } }>('/dev/inbox/:id', (request, reply) => {
    const mail = inbox.find(request.params.id);
    if (!mail) throw new Refusal('NOT_FOUND');
    const isHtml = mail.html !== '';
    return reply
      .headers(page(isHtml ? 'text/html' : 'text/plain', mailPolicy))
      .send(isHtml ? mail.html : mail.text);
  });
}

function page(type: string, policy: string): Record<string, string> {
  return {
    'content-type': `${type}; charset=utf-8`,
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  };
}

function one(query: unknown, name: string): string | undefined {
  const value = (query as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function listPage(mails: ReceivedMail[], to: string | undefined): string {
  const title = to === undefined ? 'Inbox' : `Inbox of ${to}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${refreshSeconds}">
<title>${escape(title)} (${mails.length}) · ${bank.name}</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/dev/inbox.css">
</head>
<body>
<header><a class="home" href="/">${bank.name}</a><span>Local inbox</span></header>
<main>
<h1>${escape(title)}</h1>
<p class="lead">Mail of this bank stays on this machine while no SMTP_URL is set. This page looks again every ${refreshSeconds} seconds.${
    to === undefined ? '' : ' <a href="/dev/inbox">Show all</a>'
  }</p>
${mails.length === 0 ? '<p class="empty">No mail yet. A code asked for at the login lands here.</p>' : list(mails)}
</main>
</body>
</html>
`;
}

function list(mails: ReceivedMail[]): string {
  return `<ol>\n${mails.slice(0, shownAtMost).map(item).join('\n')}\n</ol>`;
}

function item({ id, to, subject, text, at }: ReceivedMail): string {
  const start = text.replace(/\s+/g, ' ').slice(0, 180);
  return `<li>
<a class="subject" href="/dev/inbox/${id}">${escape(subject || '(no subject)')}</a>
<time datetime="${at.toISOString()}">${at.toLocaleString(bank.locale, { timeZone: bank.timeZone, dateStyle: 'medium', timeStyle: 'medium' })}</time>
<a class="to" href="/dev/inbox?to=${encodeURIComponent(to)}">${escape(to)}</a>
<p>${escape(start)}</p>
</li>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
