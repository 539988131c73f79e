/** Which files show toasts, read from the source: a form shows its result next to itself, not in a toast. */
import { expect, test } from 'vitest';

const sources = import.meta.glob<string>('/src/web/**/*.{ts,tsx}', {
  query: '?raw',
  import: 'default',
  eager: true,
});

test('toasts are shown only by the notifications and by copying [K-15]', () => {
  const callers = Object.entries(sources).filter(
    ([path, text]) => /[^.]\bshowToast\(/.test(text) && !/\/sheet\/|showToast(\.test)?\.ts$/.test(path),
  );
  expect(callers.map(([path]) => path)).toEqual([
    '/src/web/features/dashboard/useNotifications.ts',
    '/src/web/ui/copyText.ts',
  ]);
  expect(Object.keys(sources).length).toBeGreaterThan(200);
});
