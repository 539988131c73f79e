/** How any part of the app says something in passing: it is heard by the one `Toasts` in the app's root, now or once it is there. */
import type { IconName } from './Icon.tsx';

export type ToastMessage = {
  title: string;
  text?: string | undefined;
  tone?: 'success' | 'info' | 'error' | undefined;
  icon?: IconName | undefined;
  /** Messages of one id are shown once at a time. */
  id?: string | undefined;
};

let hear: ((message: ToastMessage) => void) | undefined;
const waiting: ToastMessage[] = [];

/** Shows a message at the top right for five seconds. For what happens outside the form at hand. */
export function showToast(message: ToastMessage): void {
  if (hear) hear(message);
  else waiting.push(message);
}

/** For `Toasts` alone: gets every message, also those said before. Gives back how to stop. */
export function listenForToasts(listener: (message: ToastMessage) => void): () => void {
  hear = listener;
  for (const message of waiting.splice(0)) listener(message);
  return () => {
    if (hear === listener) hear = undefined;
  };
}
