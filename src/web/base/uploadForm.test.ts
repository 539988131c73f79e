/** An upload that is canceled before it begins. */
import { afterEach, expect, test, vi } from 'vitest';
import { settingsApi } from '#contract/settings.ts';
import { uploadForm } from './uploadForm.ts';

afterEach(() => vi.unstubAllGlobals());

test('an upload that is canceled before it begins sends nothing', async () => {
  const sent = vi.fn();
  vi.stubGlobal(
    'XMLHttpRequest',
    class extends XMLHttpRequest {
      override send = sent;
    },
  );
  const signal = AbortSignal.abort();
  const answer = await uploadForm(settingsApi.uploadAvatar, {}, { timeoutMs: 1000, signal });
  expect(answer).toHaveProperty('error.status', 'NETWORK');
  expect(sent).not.toHaveBeenCalled();
});
