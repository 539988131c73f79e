/** Which view and page a URL shows. */
import { describe, expect, test } from 'vitest';
import { adminViews, viewByKey } from './adminViews.ts';
import { pageFromAddress, viewAddress } from './viewAddress.ts';

describe('an administrator who opens an address', () => {
  test('finds every view', () => {
    for (const { key } of adminViews) {
      expect(viewByKey(new URLSearchParams(viewAddress(key).search).get('view')).key).toBe(key);
    }
  });

  test('finds the dashboard if the address names no existing view', () => {
    expect(viewByKey(null).key).toBe('dashboard');
    expect(viewByKey('vault').key).toBe('dashboard');
  });

  test('finds the page it names, and the first page if it names none', () => {
    expect(pageFromAddress(new URLSearchParams(viewAddress('transactions', 7).search))).toBe(7);
    for (const text of ['', 'page=0', 'page=-2', 'page=1.5', 'page=x', 'page=1e99']) {
      expect(pageFromAddress(new URLSearchParams(text))).toBe(1);
    }
  });
});
