/**
 * How a mail of the bank looks: one set of pieces, drawn as text and as HTML that says the same. Every value is
 * escaped, styles are inline, and nothing is loaded from anywhere, so that a mail looks alike everywhere and tells
 * nobody that it was opened.
 */
import { bank } from '#contract/constants.ts';
import { escapeHtml } from '#contract/html.ts';

/** A mail but for its receiver. */
export type Letter = { subject: string; text: string; html: string };

/** A paragraph, a figure to be read at a glance, a table of facts, or a link that is shown as a button. */
export type Piece =
  | string
  | { figure: string }
  | { facts: readonly (readonly [label: string, value: string])[] }
  | { link: string; url: string };

const ink = '#17162b';
const quiet = '#4a4862';
const hairline = '#e7e2d6';
const sans = "font-family:Figtree,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const serif = "font-family:Newsreader,Georgia,'Times New Roman',serif";
const petals = ['#5a57d1', '#8d8aec', '#c9c7f2', '#f0b458'];

/** Draws a letter. `title` heads it and is its subject unless a `subject` is given. */
export function drawLetter(of: { title: string; subject?: string; name?: string; pieces: Piece[] }): Letter {
  const pieces = of.name ? [`Dear ${of.name},`, ...of.pieces] : of.pieces;
  return {
    subject: of.subject ?? of.title,
    text: `${[of.title, ...pieces.map(toText), '--', ...footer].join('\n\n')}\n`,
    html: frame(of.title, pieces.map(toHtml).join('\n')),
  };
}

const footer = [
  `${bank.name}, ${bank.address}\n${bank.phone}, ${bank.supportEmail}`,
  'We never ask for your password or a code, neither by mail nor by phone.',
];

function toText(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  if ('figure' in piece) return `    ${piece.figure}`;
  if ('link' in piece) return `${piece.link}: ${piece.url}`;
  return piece.facts.map(([label, value]) => `${label}: ${value}`).join('\n');
}

function toHtml(piece: Piece): string {
  if (typeof piece === 'string') {
    return `<p style="margin:0 0 16px;white-space:pre-line">${escapeHtml(piece)}</p>`;
  }
  if ('figure' in piece) {
    return `<p style="margin:8px 0 24px;padding:20px 16px;background:#f3efe6;border-radius:8px;text-align:center;${serif};font-size:34px;line-height:40px;letter-spacing:1px">${escapeHtml(piece.figure)}</p>`;
  }
  if ('link' in piece) {
    return `<p style="margin:24px 0 8px"><a href="${escapeHtml(piece.url)}" style="display:inline-block;padding:12px 20px;background:#3f3ba5;border-radius:8px;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(piece.link)}</a></p>`;
  }
  const rows = piece.facts.map(
    ([label, value]) =>
      `<tr><td style="padding:10px 16px 10px 0;border-top:1px solid ${hairline};color:${quiet};vertical-align:top">${escapeHtml(label)}</td><td style="padding:10px 0;border-top:1px solid ${hairline};text-align:right;overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`,
  );
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:8px 0 24px;border-bottom:1px solid ${hairline};font-size:15px;line-height:22px">${rows.join('')}</table>`;
}

function frame(title: string, body: string): string {
  const band = petals.map(
    colour => `<td height="4" style="background:${colour};font-size:0;line-height:4px">&nbsp;</td>`,
  );
  const small = footer.map(
    line => `<p style="margin:0 0 8px">${escapeHtml(line).replaceAll('\n', '<br>')}</p>`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light"><title>${escapeHtml(title)}</title></head>
<body style="margin:0;padding:0;background:#faf8f3">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#faf8f3">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px;${sans};font-size:16px;line-height:24px;color:${ink}">
<tr><td style="padding:20px 32px;background:#2a266f;border-radius:10px 10px 0 0;color:#faf8f3;${serif};font-size:22px;line-height:28px">${bank.name}</td></tr>
<tr><td><table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr>${band.join('')}</tr></table></td></tr>
<tr><td style="padding:32px;background:#ffffff;border:1px solid ${hairline};border-top:0;border-radius:0 0 10px 10px">
<h1 style="margin:0 0 24px;${serif};font-size:28px;line-height:34px;font-weight:400">${escapeHtml(title)}</h1>
${body}
</td></tr>
<tr><td style="padding:24px 32px;color:#65637a;font-size:13px;line-height:20px">${small.join('')}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}
