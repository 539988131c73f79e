/** Keeps the browser's offer to install the bank as an app. The browser makes it once per page, possibly before the login. */

export type InstallEvent = Event & { prompt(): Promise<unknown> };

export const kept: { offer?: InstallEvent | undefined; onChange?: () => void } = {};

export function keepInstallOffer(): void {
  addEventListener('beforeinstallprompt', event => {
    // Otherwise some browsers show their own install bar.
    event.preventDefault();
    kept.offer = event as InstallEvent;
    kept.onChange?.();
  });
}
