/** A software authenticator for server tests: authenticator app codes (RFC 6238) and passkeys (WebAuthn, ES256). */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import type { CeremonyOptions } from '#contract/webAuthn.ts';
import { codeOf } from '#server/people/totp.ts';

/** The code that an app with this Base32 secret shows; `steps`: how many 30-second steps from now. */
export function appCode(secret: string, steps = 0): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  const bits = Array.from(secret, letter => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)));
  return codeOf(bytes, Math.floor(Date.now() / 30_000) + steps);
}

/** What a test can change about the creation or use of a passkey (a ceremony in WebAuthn). */
type Ceremony = { origin: string; isVerified?: boolean; counter?: number; idBytes?: number };

const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest();

function clientData(
  type: 'webauthn.create' | 'webauthn.get',
  { challenge }: CeremonyOptions,
  origin: string,
) {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

const userPresent = 0x01;
const userVerified = 0x04;
const hasCredential = 0x40;

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(flags);
  head.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(rpId), head]);
}

/** A passkey on a device. */
export type TestPasskey = {
  id: string;
  /** What the browser sends after it created the passkey. */
  created: Record<string, unknown>;
  /** What the browser sends after the person used the passkey with these options. */
  use(options: CeremonyOptions, ceremony: Ceremony): Record<string, unknown>;
};

/** Creates a passkey with the options of the server. */
export function createPasskey(options: CeremonyOptions, ceremony: Ceremony): TestPasskey {
  const { rp, user } = options as CeremonyOptions & { rp: { id: string }; user: { id: string } };
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(ceremony.idBytes ?? 32);
  const id = base64url(credentialId);
  const flags = userPresent | (ceremony.isVerified === false ? 0 : userVerified);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(credentialId.length);
  const authData = Buffer.concat([
    authenticatorData(rp.id, flags | hasCredential, ceremony.counter ?? 0),
    Buffer.alloc(16),
    length,
    credentialId,
    coseKey(publicKey),
  ]);
  const attestation = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', new Uint8Array(authData)],
  ]);
  const envelope = { id, rawId: id, type: 'public-key', clientExtensionResults: {} };
  return {
    id,
    created: {
      ...envelope,
      response: {
        clientDataJSON: base64url(clientData('webauthn.create', options, ceremony.origin)),
        attestationObject: base64url(isoCBOR.encode(attestation as never)),
        transports: ['internal'],
      },
    },
    use(asked, { origin, isVerified = true, counter = 0 }) {
      const data = clientData('webauthn.get', asked, origin);
      const used = authenticatorData(
        (asked as CeremonyOptions & { rpId: string }).rpId,
        userPresent | (isVerified ? userVerified : 0),
        counter,
      );
      const signature = sign('sha256', Buffer.concat([used, sha256(data)]), privateKey);
      return {
        ...envelope,
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(used),
          signature: base64url(signature),
          userHandle: user.id,
        },
      };
    },
  };
}

/** The public key in COSE form (RFC 9053): EC2, ES256, P-256. */
function coseKey(key: KeyObject): Uint8Array {
  const { x = '', y = '' } = key.export({ format: 'jwk' }) as { x?: string; y?: string };
  const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
  return isoCBOR.encode(
    new Map<number, number | Uint8Array<ArrayBuffer>>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ]),
  );
}
