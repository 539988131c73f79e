/** A push service on loopback, and the browsers behind it, which decrypt the messages that arrive (RFC 8291, RFC 8188). */
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PushMessage } from '#contract/push.ts';

const headerBytes = { salt: 16, recordSize: 4, keyLength: 1 } as const;
const tagBytes = 16;

export type PushService = {
  origin: string;
  /**
   * Subscribes a new browser, or gives the browser at `endpoint` new keys. Returns the subscription as browsers send it to the
   * bank. A message that was encrypted with a browser's former keys is dropped, as in real browsers.
   */
  subscribe(endpoint?: string): { endpoint: string; p256dh: string; auth: string };
  /** The messages that browsers received, decrypted, with the headers of their requests. */
  received: {
    endpoint: string;
    message: PushMessage;
    headers: Record<string, string | string[] | undefined>;
  }[];
  /** The statuses of the next answers. When none is left, answers are 201. */
  answers: number[];
  close(): Promise<void>;
};

export async function openPushService(): Promise<PushService> {
  const browsers = new Map<string, { keys: ReturnType<typeof createECDH>; auth: Buffer }>();
  const received: PushService['received'] = [];
  const answers: number[] = [];
  const server = createServer((request, answer) => {
    const parts: Buffer[] = [];
    request.on('data', part => parts.push(part));
    request.on('end', () => {
      const endpoint = `${origin}${request.url}`;
      const status = answers.shift() ?? 201;
      const message = decrypt(Buffer.concat(parts), browsers.get(endpoint)!);
      if (status === 201 && message) received.push({ endpoint, message, headers: request.headers });
      answer.writeHead(status).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    received,
    answers,
    subscribe(endpoint = `${origin}/${randomBytes(16).toString('base64url')}`) {
      const keys = createECDH('prime256v1');
      const p256dh = keys.generateKeys('base64url');
      const auth = randomBytes(16);
      browsers.set(endpoint, { keys, auth });
      return { endpoint, p256dh, auth: auth.toString('base64url') };
    },
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}

/** The message in a request's body, or undefined if it was encrypted with other keys. */
function decrypt(
  body: Buffer,
  { keys, auth }: { keys: ReturnType<typeof createECDH>; auth: Buffer },
): PushMessage | undefined {
  const salt = body.subarray(0, headerBytes.salt);
  const keyAt = headerBytes.salt + headerBytes.recordSize + headerBytes.keyLength;
  const encryptedAt = keyAt + body[keyAt - 1]!;
  const sender = body.subarray(keyAt, encryptedAt);
  const derive = (secret: Uint8Array, from: Uint8Array, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, from, info, length));
  const shared = derive(
    keys.computeSecret(sender),
    auth,
    Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender]),
    32,
  );
  const key = derive(shared, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(shared, salt, 'Content-Encoding: nonce\0', 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(body.subarray(-tagBytes));
  let padded: Buffer;
  try {
    padded = Buffer.concat([decipher.update(body.subarray(encryptedAt, -tagBytes)), decipher.final()]);
  } catch {
    return;
  }
  // In the last record, the text is followed by the byte 2 and padding (RFC 8188).
  return JSON.parse(padded.subarray(0, padded.lastIndexOf(2)).toString()) as PushMessage;
}
