/**
 * How a mail of the bank looks: one set of pieces, drawn as text and as HTML that says the same. Every value is
 * escaped, styles stand at the elements (tables, for mail programs that know little else), and nothing is loaded from
 * anywhere, so that a mail looks alike everywhere and tells nobody that it was opened. Day is written at the elements,
 * night over it by classes, for programs that ask.
 */
import { bank } from '#contract/constants.ts';
import { escapeHtml } from '#contract/html.ts';

/** A mail but for its receiver. */
export type Letter = { subject: string; text: string; html: string };

/** A paragraph, a figure to be read at a glance, a table of facts, what to do if it was somebody else, or a link shown as a button. */
export type Piece =
  | string
  | { figure: string; tone?: 'in' | 'code' }
  | { facts: readonly (readonly [label: string, value: string])[] }
  | { notice: string }
  | { link: string; url: string };

const sans = "font-family:Figtree,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const serif = "font-family:Newsreader,Georgia,'Times New Roman',serif";

/** The bank's colours by day and by night: the name of a class, and what it paints. */
const colours = {
  paper: { paints: 'background', day: '#faf8f3', night: '#121120' },
  card: { paints: 'background', day: '#ffffff', night: '#1b1a2e' },
  sunken: { paints: 'background', day: '#f3efe6', night: '#16152a' },
  warm: { paints: 'background', day: '#fbeed6', night: '#3a2b12' },
  edge: { paints: 'border-color', day: '#e7e2d6', night: '#2e2c47' },
  ink: { paints: 'color', day: '#17162b', night: '#f3f1fa' },
  quiet: { paints: 'color', day: '#4a4862', night: '#c0bdd4' },
  small: { paints: 'color', day: '#65637a', night: '#a09db8' },
  meadow: { paints: 'color', day: '#25664b', night: '#6cc79c' },
  care: { paints: 'color', day: '#5f3a00', night: '#f6d9a6' },
} as const;
type Colour = keyof typeof colours;

/** The attributes of an element in these colours. */
function look(names: Colour[], style: string): string {
  const painted = names.map(name => `${colours[name].paints}:${colours[name].day}`).join(';');
  return `class="${names.join(' ')}" style="${painted};${style}"`;
}

const night = Object.entries(colours)
  .map(([name, { paints, night: colour }]) => `.${name}{${paints}:${colour}!important}`)
  .join('');

/**
 * Draws a letter. `title` heads it and is its subject unless a `subject` is given; `glance` is what a list of mails
 * shows beside the subject, by itself the first paragraph.
 */
export function drawLetter(of: {
  title: string;
  subject?: string;
  name?: string;
  glance?: string;
  pieces: Piece[];
}): Letter {
  const pieces = of.name ? [`Dear ${asWords(of.name)},`, ...of.pieces] : of.pieces;
  const glance = of.glance ?? of.pieces.find(piece => typeof piece === 'string') ?? '';
  return {
    subject: of.subject ?? of.title,
    text: `${[of.title, ...pieces.map(toText), '--', ...footer].join('\n\n')}\n`,
    html: frame(of.title, glance, pieces.map(toHtml).join('\n')),
  };
}

/**
 * What somebody else wrote, for a mail in the bank's name: a mark that cannot be seen keeps mail programs from making a
 * link of what looks like one.
 */
export function asWords(text: string): string {
  return text.replace(/(?<=\S)[.:@](?=\S)/g, mark => `${mark}\u200b`);
}

const footer = [
  'We never ask for your password or a code, neither by mail nor by phone.',
  `${bank.name}, ${bank.address}\n${bank.phone}, ${bank.supportEmail}`,
];

function toText(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  if ('figure' in piece) return `    ${piece.figure}`;
  if ('notice' in piece) return piece.notice;
  if ('link' in piece) return `${piece.link}: ${piece.url}`;
  return piece.facts.map(([label, value]) => `${label}: ${value}`).join('\n');
}

const table = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';

function toHtml(piece: Piece): string {
  if (typeof piece === 'string') {
    return `<p style="margin:0 0 16px;white-space:pre-line">${escapeHtml(piece)}</p>`;
  }
  if ('figure' in piece) {
    const spread =
      piece.tone === 'code' ? 'letter-spacing:8px;padding:20px 8px 20px 16px' : 'padding:20px 16px';
    const ink = piece.tone === 'in' ? 'meadow' : 'ink';
    return `<table ${table} width="100%" style="margin:8px 0 24px"><tr><td align="center" ${look(
      ['sunken', ink],
      `border-radius:8px;${serif};font-size:36px;line-height:44px;${spread}`,
    )}>${escapeHtml(piece.figure)}</td></tr></table>`;
  }
  if ('notice' in piece) {
    return `<table ${table} width="100%" style="margin:8px 0 24px"><tr><td ${look(
      ['warm', 'care'],
      'padding:14px 16px;border-radius:8px;font-size:15px;line-height:22px',
    )}>${escapeHtml(piece.notice)}</td></tr></table>`;
  }
  if ('link' in piece) {
    return `<table ${table} style="margin:24px 0 8px"><tr><td style="background:#3f3ba5;border-radius:8px"><a href="${escapeHtml(piece.url)}" style="display:inline-block;padding:12px 22px;border-radius:8px;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(piece.link)}</a></td></tr></table>`;
  }
  const rows = piece.facts.map(
    ([label, value]) =>
      `<tr><td ${look(['edge', 'quiet'], 'padding:10px 16px 10px 0;border-top-width:1px;border-top-style:solid;vertical-align:top;white-space:nowrap')}>${escapeHtml(label)}</td><td ${look(['edge', 'ink'], 'padding:10px 0;border-top-width:1px;border-top-style:solid;text-align:right;overflow-wrap:anywhere;word-break:break-word')}>${escapeHtml(value)}</td></tr>`,
  );
  return `<table ${table} width="100%" ${look(['edge'], 'margin:8px 0 24px;border-bottom-width:1px;border-bottom-style:solid;font-size:15px;line-height:22px')}>${rows.join('')}</table>`;
}

/** The floret: four petals and its heart, of cells with round corners; where those are unknown, four squares. */
function mark(): string {
  const petal = (colour: string, corners: string) =>
    `<td width="13" height="13" style="width:13px;height:13px;background:${colour};border-radius:${corners};font-size:0;line-height:0">&nbsp;</td>`;
  return `<table ${table} style="border-collapse:separate;border-spacing:1px"><tr>${petal('#8d8aec', '11px 11px 2px 11px')}${petal('#c9c7f2', '11px 11px 11px 2px')}</tr><tr>${petal('#c9c7f2', '11px 2px 11px 11px')}${petal('#f0b458', '2px 11px 11px 11px')}</tr></table>`;
}

/** So much nothing after the glance that no list of mails shows what comes after it: a code stays inside. */
const blank = '&#847;&zwnj;&nbsp;'.repeat(80);

function frame(title: string, glance: string, body: string): string {
  const small = footer.map(
    line => `<p style="margin:0 0 8px">${escapeHtml(line).replaceAll('\n', '<br>')}</p>`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(title)}</title>
<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${night}}@media (max-width:480px){.room{padding-left:20px!important;padding-right:20px!important}}</style></head>
<body ${look(['paper'], 'margin:0;padding:0;-webkit-text-size-adjust:100%')}>
<div style="display:none;max-height:0;overflow:hidden;font-size:1px;line-height:1px;color:#faf8f3">${escapeHtml(glance)}${blank}</div>
<table ${table} width="100%" ${look(['paper'], '')}>
<tr><td align="center" style="padding:24px 12px">
<!--[if mso]><table ${table} width="560"><tr><td><![endif]-->
<table ${table} width="100%" ${look(['ink'], `max-width:560px;${sans};font-size:16px;line-height:24px;text-align:left`)}>
<tr><td class="room" style="padding:22px 32px;background:#2a266f;border-radius:10px 10px 0 0"><table ${table}><tr><td style="padding-right:10px">${mark()}</td><td style="color:#faf8f3;${serif};font-size:22px;line-height:28px">${bank.name}</td></tr></table></td></tr>
<tr><td ${look(['card', 'edge'], 'padding:32px 32px 24px;border-width:0 1px 1px;border-style:solid;border-radius:0 0 10px 10px').replace('class="', 'class="room ')}>
<h1 ${look(['ink'], `margin:0 0 20px;${serif};font-size:28px;line-height:34px;font-weight:400`)}>${escapeHtml(title)}</h1>
${body}
</td></tr>
<tr><td ${look(['small'], 'padding:24px 32px;font-size:13px;line-height:20px').replace('class="', 'class="room ')}>${small.join('')}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</body>
</html>
`;
}
