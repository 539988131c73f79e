/** Registers the service worker. */

const script = '/service-worker.js';

type Rules = { createScriptURL(url: string): string };
type Policies = { createPolicy(name: string, rules: Rules): Rules };

/** The script's URL as Trusted Types require it. The policy allows only this URL. */
function trustedScript(): string {
  const policies = (window as { trustedTypes?: Policies }).trustedTypes;
  if (!policies) return script;
  const policy = policies.createPolicy('service-worker', {
    createScriptURL(url) {
      if (url !== script) throw new TypeError(url);
      return url;
    },
  });
  return policy.createScriptURL(script);
}

let registered: Promise<ServiceWorkerRegistration> | undefined;

/** Registers the worker once per page. Rejects if the browser has no service workers or does not allow it. */
export function registerServiceWorker(): Promise<ServiceWorkerRegistration> {
  registered ??= (async () => {
    if (!('serviceWorker' in navigator)) throw new Error('This browser has no service workers.');
    return await navigator.serviceWorker.register(trustedScript());
  })();
  return registered;
}
