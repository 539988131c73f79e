/**
 * Composes a mail as bytes: text and equivalent HTML with its pictures (RFC 2045 to 2047, 2387). The library that sends mails
 * could compose them too, but in many small writes, which cost more processor time than the rest of a mail.
 */
import { randomUUID } from 'node:crypto';

export type MessageParts = {
  from: { name: string; address: string };
  to: string;
  replyTo?: string | undefined;
  messageId: string;
  subject: string;
  text: string;
  html: string;
  /** PNG pictures, which the HTML refers to as `cid:` and their id. */
  images: readonly { cid: string; filename: string; content: Buffer }[];
};

const newLine = '\r\n';
/** Characters per encoded word: at most four bytes each, and an encoded word has at most 75 characters (RFC 2047). */
const charactersPerWord = 11;
const maxHeaderText = 60;
const maxLine = 76;

/** The bytes of a mail. Addresses, ids and file names contain neither line breaks nor quotes; the caller has checked them. */
export function composeMessage(mail: MessageParts): Buffer {
  const boundary = randomUUID();
  const html = bodyPart('text/html', mail.html);
  const related = [html, ...mail.images.map(imagePart)];
  const second =
    related.length === 1 ? html : multipart('related; type="text/html"', `r-${boundary}`, related);
  const headers = [
    `From: ${toPhrase(mail.from.name)}<${mail.from.address}>`,
    `To: ${mail.to}`,
    ...(mail.replyTo === undefined ? [] : [`Reply-To: ${mail.replyTo}`]),
    `Message-ID: ${mail.messageId}`,
    `Subject: ${toHeaderText(mail.subject)}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
  ].join(newLine);
  const content = multipart('alternative', `a-${boundary}`, [bodyPart('text/plain', mail.text), second]);
  return Buffer.from(`${headers}${newLine}${content}`, 'latin1');
}

function multipart(kind: string, boundary: string, parts: string[]): string {
  const body = parts.map(part => `--${boundary}${newLine}${part}${newLine}`).join('');
  return `Content-Type: multipart/${kind};${newLine} boundary="${boundary}"${newLine}${newLine}${body}--${boundary}--${newLine}`;
}

function bodyPart(type: string, text: string): string {
  return [
    `Content-Type: ${type}; charset=utf-8`,
    'Content-Transfer-Encoding: quoted-printable',
    '',
    toQuotedPrintable(text),
  ].join(newLine);
}

function imagePart({ cid, filename, content }: MessageParts['images'][number]): string {
  return [
    `Content-Type: image/png; name="${filename}"`,
    'Content-Transfer-Encoding: base64',
    `Content-ID: <${cid}>`,
    `Content-Disposition: inline; filename="${filename}"`,
    '',
    content.toString('base64').replace(/.{76}(?=.)/g, `$&${newLine}`),
  ].join(newLine);
}

/** Text as quoted-printable (RFC 2045, 6.7), in lines of at most 76 characters. */
function toQuotedPrintable(text: string): string {
  // One character per byte.
  const bytes = Buffer.from(text.replace(/\r\n?|\n/g, newLine)).toString('latin1');
  const escaped = bytes.replace(/[^\x20-\x3c\x3e-\x7e\r\n]| (?=\r\n|$)/g, escapeByte);
  return escaped.split(newLine).map(breakLine).join(newLine);
}

const escapeByte = (byte: string) => `=${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;

/** Adds soft line breaks to a line, but not inside an escaped byte. */
function breakLine(line: string): string {
  let broken = '';
  let at = 0;
  while (line.length - at > maxLine) {
    let end = at + maxLine - 1;
    if (line[end - 1] === '=') end -= 1;
    else if (line[end - 2] === '=') end -= 2;
    broken += `${line.slice(at, end)}=${newLine}`;
    at = end;
  }
  return broken + line.slice(at);
}

/** A name in the form that a header has before the address, and a space. Empty if there is no name. */
function toPhrase(name: string): string {
  if (name === '') return '';
  if (/^[A-Za-z0-9 -]{1,60}$/.test(name)) return `${name} `;
  return /^[\x20-\x7e]{1,60}$/.test(name) && !name.includes('=?')
    ? `"${name.replace(/["\\]/g, '\\$&')}" `
    : `${encodeWords(name)} `;
}

/** A header that displays exactly `text`: text that looks like an encoded word is itself encoded. */
function toHeaderText(text: string): string {
  const isPlain = /^(?! )[\x20-\x7e]*(?<! )$/.test(text) && text.length <= maxHeaderText;
  return isPlain && !text.includes('=?') ? text : encodeWords(text);
}

/** Encoded words (RFC 2047), each on a line of its own. */
function encodeWords(text: string): string {
  const letters = Array.from(text);
  const words: string[] = [];
  while (letters.length > 0) {
    const some = Buffer.from(letters.splice(0, charactersPerWord).join(''));
    words.push(`=?UTF-8?B?${some.toString('base64')}?=`);
  }
  return words.join(`${newLine} `);
}
