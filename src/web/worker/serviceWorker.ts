/**
 * The service worker: shows an offline page when a page cannot be loaded, and shows push notifications. It stores nothing, so
 * an old balance is never shown as the current one.
 */
import type { PushMessage } from '#contract/push.ts';

declare const self: ServiceWorkerGlobalScope;

/** The page that is shown without a connection; the build puts it before this script. */
declare const offline: { html: string; policy: string };

self.addEventListener('install', event => event.waitUntil(self.skipWaiting()));

self.addEventListener('fetch', event => {
  // Everything else goes to the network as if there were no worker.
  if (event.request.mode !== 'navigate') return;
  const answerOffline = () =>
    new Response(offline.html, {
      status: 503,
      headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': offline.policy },
    });
  event.respondWith(fetch(event.request).catch(answerOffline));
});

self.addEventListener('push', event => {
  if (!event.data) return;
  const { title, body, tag, path } = event.data.json() as PushMessage;
  const options = { body, tag, icon: '/icon-192.png', badge: '/badge.png', data: { path } };
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener('notificationclick', event => {
  event.notification.close();
  const { path } = event.notification.data as { path: string };
  const open = async () => {
    const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
    const inApp = windows.find(({ url }) => new URL(url).pathname.startsWith('/dashboard'));
    // An open dashboard only gets the focus: it may have a half-filled form, and its notifications update by themselves.
    await (inApp ? inApp.focus() : self.clients.openWindow(path));
  };
  event.waitUntil(open());
});
