/**
 * The few words the parts themselves say, mostly to screen readers. Sentences of a screen come in as props;
 * words shared with screens come from the contract's messages.
 */
export const words = {
  digitsEntered: (count: number) => (count === 1 ? '1 digit entered' : `${count} digits entered`),
  keypad: 'Password keypad',
  clearAll: (key: string) => `${key}, clear all digits`,
  deleteLast: (key: string) => `${key}, delete the last digit`,
  digitOf: (place: number, of: number) => `Digit ${place} of ${of}`,
  dismiss: 'Dismiss',
  balanceHidden: 'Balance hidden',
  chooseImage: 'Choose image',
  changeImage: 'Change image',
  removeImage: 'Remove image',
  dropImage: 'or drop it here',
  uploading: 'Uploading',
  toasts: 'Messages, Alt+T',
  pages: 'Pages',
  theme: 'Appearance',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
} as const;
