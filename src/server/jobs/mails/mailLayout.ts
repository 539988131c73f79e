/**
 * The layout of the bank's mails: one list of pieces, rendered as plain text and as equivalent HTML. Every value is escaped.
 * Styles are inline and the layout uses tables, for mail clients with limited CSS. Nothing is loaded from a server, so opening
 * a mail cannot be tracked: the logo is a part of the mail. Light colors are inline; a `prefers-color-scheme` style overrides
 * them by class with dark colors.
 */
import { readFileSync } from 'node:fs';
import { bank, phoneLink } from '#contract/constants.ts';
import { escapeHtml } from '#contract/html.ts';

/** The logo. `npm run prints` draws it. */
const logo = {
  cid: 'logo@larkspur',
  filename: 'larkspur.png',
  content: readFileSync(new URL('./mark.png', import.meta.url)),
};

/** A mail without its recipient. */
export type RenderedMail = {
  subject: string;
  text: string;
  html: string;
  images: readonly (typeof logo)[];
};

/**
 * A paragraph, a quote, a large figure, a table of facts, a highlighted notice, a link that looks like a button, or a plain
 * link.
 */
export type Piece =
  | string
  | { quote: string }
  | { figure: string; tone?: 'in' | 'code' }
  | { facts: readonly (readonly [label: string, value: string])[] }
  | { notice: string }
  | { link: string; url: string }
  | { quietLink: string; url: string };

export const ifNotYou: Piece = {
  notice: `If that wasn’t you, set a new password right away and call us: ${bank.phone}.`,
};

/** Formats a number of seconds as '5 minutes'. */
export const minutes = (seconds: number) => `${Math.round(seconds / 60)} minutes`;

/** The link of a security mail for a reader who did not do what the mail reports. */
export function freezePiece(url: string): Piece {
  return { quietLink: 'This wasn’t me: freeze my account', url };
}

const sans = "font-family:Figtree,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const serif = "font-family:Newsreader,Georgia,'Times New Roman',serif";

/** The bank's light and dark colors: class name, CSS property, and values. */
const colors = {
  paper: { property: 'background', light: '#faf8f3', dark: '#121120' },
  card: { property: 'background', light: '#ffffff', dark: '#1b1a2e' },
  sunken: { property: 'background', light: '#f3efe6', dark: '#16152a' },
  warm: { property: 'background', light: '#fbeed6', dark: '#3a2b12' },
  edge: { property: 'border-color', light: '#e7e2d6', dark: '#2e2c47' },
  ink: { property: 'color', light: '#17162b', dark: '#f3f1fa' },
  quiet: { property: 'color', light: '#4a4862', dark: '#c0bdd4' },
  link: { property: 'color', light: '#3f3ba5', dark: '#a5a2f5' },
  small: { property: 'color', light: '#65637a', dark: '#a09db8' },
  meadow: { property: 'color', light: '#25664b', dark: '#6cc79c' },
  care: { property: 'color', light: '#5f3a00', dark: '#f6d9a6' },
} as const;
type ColorName = keyof typeof colors;

/** The class and style attributes of an element with these colors. */
function colorAttributes(names: ColorName[], style: string): string {
  const inline = names.map(name => `${colors[name].property}:${colors[name].light}`).join(';');
  return `class="${names.join(' ')}" style="${inline};${style}"`;
}

const darkStyles = Object.entries(colors)
  .map(([name, { property, dark }]) => `.${name}{${property}:${dark}!important}`)
  .join('');

/**
 * Renders a mail. `title`: the heading, and the subject if `subject` is not given. `preview`: the text that mail clients show
 * next to the subject; by default the first paragraph.
 */
export function renderMail(mail: {
  title: string;
  subject?: string;
  name?: string;
  preview?: string;
  pieces: Piece[];
}): RenderedMail {
  const pieces = mail.name ? [`Hi ${breakLinks(mail.name)},`, ...mail.pieces] : mail.pieces;
  const preview = mail.preview ?? mail.pieces.find(piece => typeof piece === 'string') ?? '';
  return {
    subject: mail.subject ?? mail.title,
    text: `${[mail.title, ...pieces.map(toText), '--', ...footer].join('\n\n')}\n`,
    html: frame(mail.title, preview, pieces.map(toHtml).join('\n')),
    images: [logo],
  };
}

/**
 * Prepares text of another person for a mail in the bank's name: zero-width spaces keep mail clients from turning URLs and
 * addresses into links. Amounts stay as they are, also at the end of a sentence, so that they can be copied.
 */
export function breakLinks(text: string): string {
  return text.replace(/(?<=\S)[.:@](?=\S)(?<!\d\.(?=\d\d(?!\d|\.\S)))/g, separator => `${separator}\u200b`);
}

const footer = [
  'We never ask for your password or a code, in any message or on any call.',
  // The state stays with its ZIP code.
  `${bank.name}, ${bank.address.replace(/ (?=\d+$)/, '\u00a0')}\n${bank.phone}, ${bank.supportEmail}`,
];

function toText(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  if ('quote' in piece) return piece.quote.replace(/^/gm, '> ');
  if ('figure' in piece) return `    ${piece.figure}`;
  if ('notice' in piece) return piece.notice;
  if ('link' in piece) return `${piece.link}: ${piece.url}`;
  if ('quietLink' in piece) return `${piece.quietLink}: ${piece.url}`;
  return piece.facts.map(([label, value]) => `${label}: ${value}`).join('\n');
}

/** Escaped text in which the bank's phone number is a link. */
const withPhoneLink = (text: string) =>
  escapeHtml(text).replaceAll(
    bank.phone,
    `<a href="${phoneLink}" style="color:inherit;white-space:nowrap">${bank.phone}</a>`,
  );

const table = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';

function toHtml(piece: Piece): string {
  if (typeof piece === 'string') {
    return `<p style="margin:0 0 16px;white-space:pre-line">${withPhoneLink(piece)}</p>`;
  }
  if ('quote' in piece) {
    return `<blockquote ${colorAttributes(['edge', 'quiet'], 'margin:0 0 16px;padding:0 0 0 16px;border-left-width:4px;border-left-style:solid;white-space:pre-line;overflow-wrap:anywhere')}>${escapeHtml(piece.quote)}</blockquote>`;
  }
  if ('figure' in piece) {
    const spread =
      piece.tone === 'code' ? 'letter-spacing:8px;padding:20px 8px 20px 16px' : 'padding:20px 16px';
    const ink = piece.tone === 'in' ? 'meadow' : 'ink';
    return `<table ${table} width="100%" style="margin:8px 0 24px"><tr><td align="center" ${colorAttributes(
      ['sunken', ink],
      `border-radius:8px;${serif};font-size:36px;line-height:44px;${spread}`,
    )}>${escapeHtml(piece.figure)}</td></tr></table>`;
  }
  if ('notice' in piece) {
    return `<table ${table} width="100%" style="margin:8px 0 24px"><tr><td ${colorAttributes(
      ['warm', 'care'],
      'padding:14px 16px;border-radius:8px;font-size:15px;line-height:22px',
    )}>${withPhoneLink(piece.notice)}</td></tr></table>`;
  }
  if ('link' in piece) {
    return `<table ${table} style="margin:24px 0"><tr><td style="background:#3f3ba5;border-radius:8px"><a href="${escapeHtml(piece.url)}" style="display:inline-block;padding:12px 22px;border-radius:8px;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(piece.link)}</a></td></tr></table>`;
  }
  if ('quietLink' in piece) {
    return `<p style="margin:0 0 16px"><a href="${escapeHtml(piece.url)}" ${colorAttributes(['link'], 'text-decoration:underline')}>${escapeHtml(piece.quietLink)}</a></p>`;
  }
  // Short values are on the right. The block of a value of several lines fills its cell, so its text is left-aligned.
  const rows = piece.facts.map(
    ([label, value]) =>
      `<tr><td ${colorAttributes(['edge', 'quiet'], 'padding:10px 16px 10px 0;border-top-width:1px;border-top-style:solid;vertical-align:top;white-space:nowrap')}>${escapeHtml(label)}</td><td ${colorAttributes(['edge', 'ink'], 'padding:10px 0;border-top-width:1px;border-top-style:solid;text-align:right;overflow-wrap:anywhere;word-break:break-word')}><span style="display:inline-block;text-align:left">${withPhoneLink(value)}</span></td></tr>`,
  );
  return `<table ${table} width="100%" ${colorAttributes(['edge'], 'margin:8px 0 24px;border-bottom-width:1px;border-bottom-style:solid;font-size:15px;line-height:22px')}>${rows.join('')}</table>`;
}

/** Invisible padding after the preview, so that mail clients do not show the text after it, which may contain a code. */
const previewPadding = '&#847;&zwnj;&nbsp;'.repeat(80);

function frame(title: string, preview: string, body: string): string {
  const small = footer.map(
    line => `<p style="margin:0 0 8px">${withPhoneLink(line).replaceAll('\n', '<br>')}</p>`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(title)}</title>
<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${darkStyles}}@media (max-width:480px){.room{padding-left:20px!important;padding-right:20px!important}}</style></head>
<body ${colorAttributes(['paper'], 'margin:0;padding:0;-webkit-text-size-adjust:100%')}>
<div style="display:none;max-height:0;overflow:hidden;font-size:1px;line-height:1px;color:#faf8f3">${escapeHtml(preview)}${previewPadding}</div>
<table ${table} width="100%" ${colorAttributes(['paper'], '')}>
<tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table ${table} width="560"><tr><td><![endif]-->
<table ${table} width="100%" ${colorAttributes(['ink'], `max-width:560px;${sans};font-size:16px;line-height:24px;text-align:left`)}>
<tr><td class="room" style="padding:22px 32px;background:#2a266f;border-radius:10px 10px 0 0"><table ${table}><tr><td style="padding-right:10px"><img src="cid:${logo.cid}" width="34" height="34" alt="" style="display:block;border:0"></td><td style="color:#faf8f3;${serif};font-size:22px;line-height:28px">${bank.name}</td></tr></table></td></tr>
<tr><td ${colorAttributes(['card', 'edge'], 'padding:32px 32px 24px;border-width:0 1px 1px;border-style:solid;border-radius:0 0 10px 10px').replace('class="', 'class="room ')}>
<h1 ${colorAttributes(['ink'], `margin:0 0 20px;${serif};font-size:28px;line-height:34px;font-weight:400`)}>${escapeHtml(title)}</h1>
${body}
</td></tr>
<tr><td ${colorAttributes(['small'], 'padding:24px 32px;font-size:13px;line-height:20px').replace('class="', 'class="room ')}>${small.join('')}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`;
}
