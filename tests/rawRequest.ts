/** Raw HTTP requests, valid or malformed: writes bytes to a socket and parses the response. */
import { createConnection, type Socket } from 'node:net';

/** Resolves when the connection is closed or reset. A server that closes before it has read everything causes a reset. */
export function hungUp(socket: Socket): Promise<void> {
  socket.on('error', () => {});
  return new Promise(resolve => socket.once('close', () => resolve()));
}

export type RawAnswer = { status: number; headers: Record<string, string>; body: string };

/** Sends `lines` joined by CRLF, an empty line and `body`, and reads until the server closes the connection. */
export async function sendRaw(url: string, lines: string[], body = ''): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const text = await new Promise<string>((resolve, reject) => {
    const socket = createConnection({ host: hostname, port: Number(port) });
    const chunks: Buffer[] = [];
    socket.on('data', chunk => chunks.push(chunk));
    socket.once('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    // A server that refuses may reset the connection while we write; the response it sent before is valid.
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
