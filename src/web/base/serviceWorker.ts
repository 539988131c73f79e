/** Registers the service worker, and subscribes this browser to push notifications. */
import type { PushDevice } from '#contract/push.ts';

const script = '/service-worker.js';

type TrustedScriptURL = { readonly scriptUrl: unique symbol };
type Policies = {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): {
    createScriptURL(url: string): TrustedScriptURL;
  };
};

/** The address as Trusted Types require it. The policy knows only this script. */
function trustedScript(): string {
  const policies = (window as { trustedTypes?: Policies }).trustedTypes;
  if (!policies) return script;
  const policy = policies.createPolicy('service-worker', {
    createScriptURL(url) {
      if (url !== script) throw new TypeError(url);
      return url;
    },
  });
  return policy.createScriptURL(script) as unknown as string;
}

let registered: Promise<ServiceWorkerRegistration> | undefined;

/** Registers the worker once per page. Rejects if the browser has none, or does not allow it. */
export function registerServiceWorker(): Promise<ServiceWorkerRegistration> {
  registered ??= (async () => {
    if (!('serviceWorker' in navigator)) throw new Error('This browser has no service workers.');
    return await navigator.serviceWorker.register(trustedScript());
  })();
  return registered;
}

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
    // A subscription to another key would get nothing.
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
