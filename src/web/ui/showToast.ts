/** Shows short messages from any part of the app. `Toasts` in the app's root receives them, even those sent before it loads. */
import type { IconName } from './Icon.tsx';

export type ToastMessage = {
  title: string;
  text?: string | undefined;
  tone?: 'success' | 'info' | 'error' | undefined;
  icon?: IconName | undefined;
  /** Only one message with the same id is shown at a time. */
  id?: string | undefined;
};

/** The id of the toasts about copying. */
export const copyToast = 'copied';

let currentListener: ((message: ToastMessage) => void) | undefined;
const waiting: ToastMessage[] = [];

/** Shows a message for five seconds at the top right, on phones below the top bar. For events outside the current form. */
export function showToast(message: ToastMessage): void {
  if (currentListener) currentListener(message);
  else waiting.push(message);
}

/** For `Toasts` only: receives every message, including earlier ones. Returns the function that unsubscribes. */
export function listenForToasts(listener: (message: ToastMessage) => void): () => void {
  currentListener = listener;
  for (const message of waiting.splice(0)) listener(message);
  return () => {
    if (currentListener === listener) currentListener = undefined;
  };
}
