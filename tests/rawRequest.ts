/** Requests as no well-behaved client writes them: bytes to a socket, and what comes back. */
import { createConnection, type Socket } from 'node:net';

/** Resolves when the connection is gone; a reset ends it too, as a server does that closes on what it has not read. */
export function hungUp(socket: Socket): Promise<void> {
  socket.on('error', () => {});
  return new Promise(resolve => socket.once('close', () => resolve()));
}

export type RawAnswer = { status: number; headers: Record<string, string>; body: string };

/** Sends `lines` joined by CRLF (with the empty line after them) and reads until the server has closed the connection. */
export async function sendRaw(url: string, lines: string[], body = ''): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const text = await new Promise<string>((resolve, reject) => {
    const socket = createConnection({ host: hostname, port: Number(port) });
    const chunks: Buffer[] = [];
    socket.on('data', chunk => chunks.push(chunk));
    socket.once('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    // A server that refuses may reset what is still being written; what it said before counts.
    socket.once('error', error => (chunks.length > 0 ? undefined : reject(error)));
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  });
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...fields] = head.split('\r\n');
  const headers = Object.fromEntries(
    fields.map(field => [
      field.slice(0, field.indexOf(':')).toLowerCase(),
      field.slice(field.indexOf(':') + 1).trim(),
    ]),
  );
  return { status: Number(first.split(' ')[1]), headers, body: rest.join('\r\n\r\n') };
}
