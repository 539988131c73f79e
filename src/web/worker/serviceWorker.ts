/**
 * The service worker: shows a page that works without a connection where a page cannot be loaded, and push notifications. It
 * stores no other page and no answer of the API, so an old balance is never shown as a new one.
 */
import type { PushMessage } from '#contract/push.ts';

declare const self: ServiceWorkerGlobalScope;

const offlinePage = '/offline';
// The build puts a hash of the page before this script, so a new page makes a new worker, which stores it again.
const cacheName = 'offline';

self.addEventListener('install', event => {
  const store = async () => {
    const cache = await caches.open(cacheName);
    await cache.add(new Request(offlinePage, { cache: 'reload' }));
    await self.skipWaiting();
  };
  event.waitUntil(store());
});

self.addEventListener('fetch', event => {
  // Everything else goes to the network as if there were no worker.
  if (event.request.mode !== 'navigate') return;
  const load = async () => {
    try {
      return await fetch(event.request);
    } catch (error) {
      const stored = await caches.match(offlinePage);
      if (!stored) throw error;
      return stored;
    }
  };
  event.respondWith(load());
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
    // A screen with a half-filled form is not left: the list there updates by itself.
    await (inApp ? inApp.focus() : self.clients.openWindow(path));
  };
  event.waitUntil(open());
});
