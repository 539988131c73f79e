/** The embedded inbox and the mailer, over real SMTP. */
import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Inbox, openInbox, serveInbox } from './inbox.ts';
import { type Mailer, openMailer, parseMailFrom } from './mailer.ts';

let inbox: Inbox;
let mailer: Mailer;
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  inbox = await openInbox();
  mailer = openMailer({ smtpUrl: inbox.smtpUrl, from: 'Larkspur Bank <no-reply@larkspur.example>' });
  app = Fastify();
  serveInbox(app, inbox);
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  mailer.close();
  await app.close();
  await inbox.close();
});

const send = (to: string, subject = 'Hello', text = 'A text.', html = '<p>A text.</p>') =>
  mailer.send({ to, subject, text, html });

test('a mail sent over SMTP is in the inbox, unchanged, once sending is done', async () => {
  const text = `Dear Inés,\n\n“$1,234.00” — ${'long '.repeat(300)}\n.\n..dots\n`;
  await send(
    'ines@example.com',
    'Money received — naïve',
    text,
    '<p style="color:#333">Grüße &amp; more</p>',
  );
  const [mail] = inbox.list('ines@example.com');
  expect(mail).toMatchObject({ to: 'ines@example.com', subject: 'Money received — naïve' });
  expect(mail!.text.trim()).toBe(text.trim());
  expect(mail!.html).toContain('<p style="color:#333">Grüße &amp; more</p>');
});

test('the JSON lists mails newest first and can be filtered by address [RC-23]', async () => {
  await send('jun@example.com', 'first');
  await send('noor@example.com', 'other');
  await send('jun@example.com', 'second');
  const answer = await fetch(`${url}/dev/inbox.json?to=jun@example.com`);
  const mails = (await answer.json()) as Record<string, unknown>[];
  expect(mails.map(mail => mail.subject)).toEqual(['second', 'first']);
  expect(Object.keys(mails[0]!)).toEqual(['to', 'subject', 'text', 'html', 'at']);
  expect(new Date(mails[0]!.at as string).getTime()).toBeGreaterThan(Date.now() - 60_000);
  const all = (await (await fetch(`${url}/dev/inbox.json`)).json()) as unknown[];
  expect(all.length).toBeGreaterThanOrEqual(3);
});

test("many mails to one address do not evict another address's code", async () => {
  await send('wren@example.com', 'Your code');
  await Promise.all(Array.from({ length: 300 }, (_, i) => send('busy@example.com', `news ${i}`)));
  expect(inbox.list('busy@example.com')).toHaveLength(100);
  expect(inbox.list('wren@example.com')).toHaveLength(1);
});

test('a picture inside a mail is shown with it, without loading anything', async () => {
  const content = Buffer.from('a picture');
  await mailer.send({
    to: 'ida@example.com',
    subject: 'With a logo',
    text: 'A text.',
    html: '<img src="cid:logo@larkspur" alt=""><img src="cid:other">',
    images: [{ cid: 'logo@larkspur', filename: 'logo.png', content }],
  });
  const [mail] = inbox.list('ida@example.com');
  expect(mail!.html).toContain('src="cid:logo@larkspur"');
  const shown = await fetch(`${url}/dev/inbox/${mail!.id}`);
  expect(await shown.text()).toContain(
    `<img src="data:image/png;base64,${content.toString('base64')}" alt=""><img src="cid:other">`,
  );
  expect(shown.headers.get('content-security-policy')).toMatch(/img-src data:;/);
});

test('the content of a mail can neither run nor load anything on the page [RC-22]', async () => {
  await send(
    'eve@example.com',
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<script>alert(1)</script>',
  );
  const list = await fetch(`${url}/dev/inbox?to=eve@example.com`);
  const page = await list.text();
  expect(page).not.toMatch(/<script|<img|style=/);
  expect(page).toContain('http-equiv="refresh"');
  expect(list.headers.get('content-security-policy')).toMatch(/default-src 'none'; style-src 'self'/);
  const [mail] = inbox.list('eve@example.com');
  const shown = await fetch(`${url}/dev/inbox/${mail!.id}`);
  expect(await shown.text()).toContain('<script>');
  expect(shown.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
  expect((await fetch(`${url}/dev/inbox.css`)).headers.get('content-type')).toBe('text/css; charset=utf-8');
});

test.each([
  '=?utf-8?B?WW91ciBwYXNzd29yZA==?=',
  'Help Desk: =?utf-8?Q?urgent=3A_pay_now?= and more',
  '=?utf-8?q?a?= =?utf-8?q?b?=',
  `=?iso-8859-1?q?=E9?= Grüße ${'花'.repeat(110)}`,
])('a subject that looks encoded is displayed as typed: %s', async subject => {
  await send('ines@example.com', subject);
  expect(inbox.list('ines@example.com')[0]!.subject).toBe(subject);
});

test('a mail is sent to exactly one plain address or not at all', async () => {
  const tried = [
    'a@b.co, c@d.co',
    '"x"@evil.com,victim@b.co',
    '<a@b.co>',
    'a@b.co\r\nBcc: c@d.co',
    'a@b',
    'group: a@b.co;',
    '=?utf-8?q?x?=@evil.example',
    '',
  ];
  const before = inbox.list().length;
  for (const to of tried) await expect(send(to), to).rejects.toThrow('one plain address');
  await expect(send('a@b.co', 'Hi\r\nBcc: c@d.co')).rejects.toThrow('one line');
  await expect(
    mailer.send({ to: 'a@b.co', subject: 's', text: 't', html: 'h', replyTo: 'a@b.co\nX: y' }),
  ).rejects.toThrow();
  expect(inbox.list().length).toBe(before);
});

test('a retried mail has the same Message-ID', async () => {
  const lines: string[] = [];
  const { createServer } = await import('node:net');
  const server = createServer(socket => {
    socket.write('220 hello\r\n');
    let isData = false;
    createInterface({ input: socket }).on('line', line => {
      lines.push(line);
      if (isData && line !== '.') return;
      if (isData) socket.write('250 taken\r\n');
      else if (line === 'DATA') socket.write('354 go on\r\n');
      else if (line === 'QUIT') socket.end('221 bye\r\n');
      else socket.write('250 ok\r\n');
      isData = line === 'DATA';
    });
  }).listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const other = openMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, from: 'no-reply@larkspur.example' });
  for (let i = 0; i < 2; i++)
    await other.send({ to: 'a@b.co', subject: 's', text: 't', html: 'h', id: 'job-7' });
  other.close();
  server.close();
  expect(lines.filter(line => line === 'Message-ID: <job-7@larkspur.example>')).toHaveLength(2);
  expect(lines.filter(line => line.startsWith('RCPT TO:'))).toEqual(['RCPT TO:<a@b.co>', 'RCPT TO:<a@b.co>']);
  expect(lines).toContain('Auto-Submitted: auto-generated');
});

test('an unreachable mail server is an error', async () => {
  const closed = openMailer({ smtpUrl: 'smtp://127.0.0.1:1', from: 'no-reply@larkspur.example' });
  await expect(closed.send({ to: 'a@b.co', subject: 's', text: 't', html: 'h' })).rejects.toThrow(
    /ECONNREFUSED/,
  );
  closed.close();
});

test('the inbox listens on loopback only and accepts no mail over a megabyte', async () => {
  expect(inbox.smtpUrl).toMatch(/^smtp:\/\/127\.0\.0\.1:\d+$/);
  await expect(send('a@b.co', 'big', 'x'.repeat(2_000_000))).rejects.toMatchObject({ responseCode: 552 });
  expect(inbox.list('a@b.co')).toEqual([]);
});

test('a client that disconnects in the middle of a mail does no harm', async () => {
  const { port } = new URL(inbox.smtpUrl);
  const socket = createConnection(Number(port), '127.0.0.1');
  const said = createInterface({ input: socket })[Symbol.asyncIterator]();
  await said.next();
  for (const line of ['HELO x', 'MAIL FROM:<a@b.co>', 'RCPT TO:<gone@example.com>', 'DATA']) {
    socket.write(`${line}\r\n`);
    await said.next();
  }
  socket.write('Subject: half\r\n\r\nhal');
  socket.destroy();
  await send('after@example.com');
  expect(inbox.list('after@example.com')).toHaveLength(1);
  expect(inbox.list('gone@example.com')).toEqual([]);
});

test('MAIL_FROM is a name with an address, or just an address', () => {
  expect(parseMailFrom('Larkspur Bank <no-reply@larkspur.example>')).toEqual({
    name: 'Larkspur Bank',
    address: 'no-reply@larkspur.example',
  });
  expect(parseMailFrom('"Larkspur" <a@b.co>')).toEqual({ name: 'Larkspur', address: 'a@b.co' });
  expect(parseMailFrom('a@b.co')).toEqual({ name: '', address: 'a@b.co' });
  for (const wrong of ['', 'Larkspur', 'a@b', 'x <a@b.co>, y <c@d.co>', 'x\r\ny <a@b.co>']) {
    expect(() => parseMailFrom(wrong), wrong).toThrow('MAIL_FROM');
  }
});
