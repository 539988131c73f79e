/** Downloads of files over real sockets: what slow readers, many readers and ended sessions get. */
import { once } from 'node:events';
import { type AddressInfo, createConnection, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import Fastify from 'fastify';
import { afterEach, expect, test } from 'vitest';
import { waitLimitMs } from '../../../tests/waiting.ts';
import { openFileDownloads } from './fileDownloads.ts';
import { sendRefusal, toRefusal } from './refusal.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const shortLimits = { ofPerson: 2, inAll: 3, stallMs: 200, totalMs: waitLimitMs, checkMs: 20 };

/** Far more than fits into the buffers of a connection. */
const megabytes = 80;

/** A server with one file. The parameter `person` of the query names who downloads it. */
async function serve(limits: Partial<typeof shortLimits> = {}) {
  const downloads = openFileDownloads({ ...shortLimits, ...limits });
  const session = { isLive: true };
  const server = Fastify({ forceCloseConnections: true, trustProxy: true });
  server.setErrorHandler((error, request, reply) => sendRefusal(reply, toRefusal(error, request.log)));
  server.get<{ Querystring: { person: string } }>('/file', (request, reply) => {
    downloads.begin(reply, request.query.person, async () => {
      if (!session.isLive) throw new Error('ended');
    });
    const piece = Buffer.alloc(1024 * 1024);
    return reply.type('text/csv').send(Readable.from(Array.from({ length: megabytes }, () => piece)));
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  stops.push(() => server.close());
  const { port } = server.server.address() as AddressInfo;
  /** Requests the file and reads only the first bytes. */
  const ask = async (person: string, address = '192.0.2.1'): Promise<{ socket: Socket; first: string }> => {
    const socket = createConnection({ host: '127.0.0.1', port });
    stops.push(async () => void socket.destroy());
    socket.write(`GET /file?person=${person} HTTP/1.1\r\nHost: bank\r\nX-Forwarded-For: ${address}\r\n\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    return { socket, first: first.toString('latin1', 0, 40) };
  };
  return { ask, session, url: `http://127.0.0.1:${port}/file` };
}

/** Keeps sending bytes and reads nothing; resolves when the server has closed the connection. */
async function waitForDisconnect(socket: Socket): Promise<void> {
  socket.on('error', () => {});
  const chatter = setInterval(() => socket.write('\r\n'), 20);
  await new Promise(resolve => socket.once('close', resolve));
  clearInterval(chatter);
}

test('a reader that accepts nothing is disconnected, even if it keeps sending bytes', async () => {
  const { ask } = await serve();
  await waitForDisconnect((await ask('nora')).socket);
});

test('a reader that takes too long in all is disconnected', async () => {
  const { ask } = await serve({ stallMs: waitLimitMs, totalMs: 300 });
  await waitForDisconnect((await ask('nora')).socket);
});

test('one person can have two downloads at a time and all people together three; closing one makes room for another', async () => {
  const { ask, url } = await serve({ stallMs: waitLimitMs });
  const [one, two] = [await ask('nora'), await ask('nora')];
  expect((await ask('nora')).first).toContain('429');
  expect((await ask('ben')).first).toContain('200');
  expect((await ask('iris')).first).toContain('503');
  for (const { socket } of [one, two]) socket.destroy();
  const answer = await fetch(`${url}?person=nora`);
  expect((await answer.arrayBuffer()).byteLength).toBe(megabytes * 1024 * 1024);
});

test('when no more downloads are allowed, the network with the most loses its newest one to a network with fewer', async () => {
  const { ask } = await serve({ stallMs: waitLimitMs });
  const flood = [await ask('nora'), await ask('ben'), await ask('iris')];
  expect((await ask('sam')).first).toContain('503');
  expect((await ask('sam', '192.0.2.2')).first).toContain('200');
  await waitForDisconnect(flood[2]!.socket);
  expect((await ask('eve', '192.0.2.2')).first).toContain('503');
  expect(flood.map(({ socket }) => socket.destroyed)).toEqual([false, false, true]);
});

test('a download ends with its session', async () => {
  const { ask, session } = await serve({ stallMs: waitLimitMs });
  const { socket } = await ask('nora');
  session.isLive = false;
  await waitForDisconnect(socket);
});
