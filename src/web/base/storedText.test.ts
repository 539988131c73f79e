/** A text that is kept in browser storage, or in the page's memory if storage fails. */
import { afterEach, expect, test, vi } from 'vitest';
import { storedText } from './storedText.ts';

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

test('a choice that cannot be stored lasts as long as the page, or until another tab stores one [O-07]', () => {
  const choice = storedText('choice');
  const onChange = vi.fn();
  const unsubscribe = choice.subscribe(onChange);
  choice.write('old');
  expect(localStorage.getItem('choice')).toBe('old');
  for (const method of ['setItem', 'removeItem'] as const)
    vi.spyOn(Storage.prototype, method).mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError');
    });
  choice.write('yes');
  expect(choice.read()).toBe('yes');
  choice.write(null);
  expect(choice.read()).toBeNull();
  expect(onChange).toHaveBeenCalledTimes(3);

  dispatchEvent(new StorageEvent('storage', { key: 'another' }));
  expect(choice.read()).toBeNull();
  dispatchEvent(new StorageEvent('storage', { key: 'choice' }));
  expect(choice.read()).toBe('old');
  expect(onChange).toHaveBeenCalledTimes(4);
  unsubscribe();
  choice.write(null);
  expect(onChange).toHaveBeenCalledTimes(4);
});
