/** The HTML page of the embedded inbox. It has no script and refreshes itself with a meta tag. */
import { dayAndTime } from '#contract/bankTime.ts';
import { bank } from '#contract/constants.ts';
import { escapeHtml } from '#contract/html.ts';
import type { ReceivedMail } from './inbox.ts';

const refreshSeconds = 3;
const maxShown = 200;

/** The list of mails, newest first; `to` is the address filter. */
export function renderInbox(mails: ReceivedMail[], to: string | undefined): string {
  const title = to === undefined ? 'Inbox' : `Inbox: ${to}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="${refreshSeconds}">
<title>${escapeHtml(title)} (${mails.length}) · ${bank.name}</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/dev/inbox.css">
</head>
<body>
<header><a class="home" href="/">${bank.name}</a><span>Local inbox</span></header>
<main>
<h1>${escapeHtml(title)}</h1>
<p class="lead">Without SMTP_URL, all email of this bank arrives here and stays on this machine. This page refreshes every ${refreshSeconds} seconds.${
    to === undefined ? '' : ' <a href="/dev/inbox">Show all</a>'
  }</p>
${mails.length === 0 ? '<p class="empty">No email yet. Login codes will appear here.</p>' : list(mails)}
</main>
</body>
</html>
`;
}

function list(mails: ReceivedMail[]): string {
  return `<ol>\n${mails.slice(0, maxShown).map(item).join('\n')}\n</ol>`;
}

function item({ id, to, subject, text, at }: ReceivedMail): string {
  const start = excerpt(text.startsWith(subject) ? text.slice(subject.length) : text);
  return `<li>
<a class="subject" href="/dev/inbox/${id}">${escapeHtml(subject || '(no subject)')}</a>
<time datetime="${at.toISOString()}">${dayAndTime(at)}</time>
<a class="to" href="/dev/inbox?to=${encodeURIComponent(to)}">${escapeHtml(to)}</a>
<p>${escapeHtml(start)}</p>
</li>`;
}

const excerptCharacters = 180;

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= excerptCharacters) return line;
  return `${line.slice(0, excerptCharacters).replace(/ \S*$/, '')} …`;
}
