/** Subscribes this browser to push notifications. */
import type { PushDevice } from '#contract/push.ts';
import { registerServiceWorker } from './serviceWorker.ts';

/** Whether this browser can get push notifications. On iPhones only apps on the Home Screen can. */
export const canGetPushes = () =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

/** This browser's subscription, if it has one. */
export async function findSubscription(): Promise<PushSubscription | undefined> {
  const registration = await registerServiceWorker();
  return (await registration.pushManager.getSubscription()) ?? undefined;
}

type Keys = Pick<PushDevice, 'endpoint'> & { p256dh: string; auth: string };

/** Asks the person, and subscribes this browser. Undefined if notifications are blocked or the push service refused. */
export async function subscribe(publicKey: string): Promise<Keys | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined;
  try {
    const { pushManager } = await registerServiceWorker();
    // An older subscription may have been made with another key of the bank. It would receive nothing.
    await (await pushManager.getSubscription())?.unsubscribe();
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
    return toKeys(made);
  } catch {
    return undefined;
  }
}

/** What the bank needs to send to a subscription. */
export function toKeys(subscription: PushSubscription): Keys {
  const { keys = {} } = subscription.toJSON();
  return { endpoint: subscription.endpoint, p256dh: keys.p256dh ?? '', auth: keys.auth ?? '' };
}
