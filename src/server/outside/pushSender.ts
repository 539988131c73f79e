/**
 * Sends push notifications through the browsers' push services (RFC 8030), encrypted for the browser (RFC 8291). An endpoint
 * comes from a client, so only endpoints of the services that the settings name are ever contacted.
 */
import { createECDH } from 'node:crypto';
import { bank } from '#contract/constants.ts';
import type { PushMessage } from '#contract/push.ts';
import type { Key, KeyVersion } from '../base/keys.ts';

export type PushTarget = { endpoint: string; p256dh: string; auth: string };

export type PushSender = {
  /** The bank's public key (VAPID, RFC 8292), base64url; null if nothing is pushed. */
  publicKey: string | null;
  /** Whether the endpoint belongs to a service that the settings name. */
  isSupported(endpoint: string): boolean;
  /** Whether a message can be encrypted for these keys. */
  isUsable(target: PushTarget): Promise<boolean>;
  /**
   * Sends one message to its service. `gone`: the subscription has ended, was made for a key that the bank no longer has, or
   * uses a service that the settings no longer name. Throws if the service should be tried again.
   */
  send(target: PushTarget, message: PushMessage): Promise<'sent' | 'gone'>;
  /** The origins of services that should get no more messages until they have answered some. */
  listBusy(): string[];
};

/** A message is worthless after a day. */
const lifetimeSeconds = 24 * 60 * 60;
const timeoutMs = 10_000;
/** A service that did not answer gets nothing for this long. */
const pauseMs = 60_000;
/** A service is busy while it has this many messages to answer. */
const maxPending = 32;
const goneStatuses = new Set([404, 410]);
/** A push service answers this if the subscription was made for another key of the bank. */
const otherKeyStatus = 403;

/** What identifies the bank to push services (VAPID, RFC 8292), from a private key. */
function toDetails({ bytes }: KeyVersion) {
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(Buffer.from(bytes));
  return {
    subject: `mailto:${bank.supportEmail}`,
    publicKey: pair.getPublicKey('base64url'),
    privateKey: Buffer.from(bytes).toString('base64url'),
  };
}

type Details = ReturnType<typeof toDetails>;

/**
 * Browsers subscribe to the current version of `key`. Browsers that subscribed to a former version are reached with that
 * version.
 */
export function openPushSender(services: readonly string[], key: Key): PushSender {
  const [current, ...former] = key.map(toDetails) as [Details, ...Details[]];
  /** By service: when it last answered, and until when it gets nothing. */
  const answeredAt = new Map<string, number>();
  const pausedUntil = new Map<string, number>();
  const pending = new Map<string, number>();
  const addPending = (service: string, count: number) =>
    pending.set(service, (pending.get(service) ?? 0) + count);

  const isSupported = (endpoint: string): boolean => {
    const url = URL.parse(endpoint);
    if (url?.username !== '' || url.password !== '') return false;
    return services.some(service => {
      if (service.includes('://')) return url.origin === service;
      const isHost = service.startsWith('*.')
        ? url.hostname.endsWith(service.slice(1))
        : url.hostname === service;
      return isHost && url.protocol === 'https:' && url.port === '';
    });
  };

  const prepare = async ({ endpoint, ...keys }: PushTarget, message: PushMessage, vapidDetails: Details) => {
    // Loaded with the first message, not with every start of the server.
    const { default: webPush } = await import('web-push');
    return webPush.generateRequestDetails({ endpoint, keys }, JSON.stringify(message), {
      vapidDetails,
      TTL: lifetimeSeconds,
      urgency: 'high',
    });
  };

  const post = async (endpoint: string, headers: Record<string, string>, body: Buffer): Promise<number> => {
    const service = new URL(endpoint).origin;
    const startedAt = performance.now();
    if (startedAt < (pausedUntil.get(service) ?? 0))
      throw new Error('the push service is paused, because it did not answer');
    addPending(service, 1);
    try {
      const answer = await fetch(endpoint, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      answeredAt.set(service, performance.now());
      pausedUntil.delete(service);
      await answer.body?.cancel();
      return answer.status;
    } catch (error) {
      const isSilent = (answeredAt.get(service) ?? 0) < startedAt;
      if (isSilent && (error as Error).name === 'TimeoutError')
        pausedUntil.set(service, performance.now() + pauseMs);
      throw error;
    } finally {
      addPending(service, -1);
    }
  };

  return {
    publicKey: services.length > 0 ? current.publicKey : null,
    isSupported,
    listBusy: () => [...pending].filter(([, count]) => count >= maxPending).map(([service]) => service),
    isUsable: target =>
      prepare(target, { title: '', body: '', tag: '', path: '' }, current).then(
        () => true,
        () => false,
      ),
    async send(target, message) {
      if (!isSupported(target.endpoint)) return 'gone';
      for (const details of [current, ...former]) {
        const { headers, body } = await prepare(target, message, details);
        const status = await post(target.endpoint, headers as Record<string, string>, body);
        if (status >= 200 && status < 300) return 'sent';
        if (goneStatuses.has(status)) return 'gone';
        if (status !== otherKeyStatus) throw new Error(`the push service answered ${status}`);
      }
      return 'gone';
    },
  };
}
