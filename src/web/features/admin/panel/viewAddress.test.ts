/** Which view and page a URL shows. */
import { describe, expect, test } from 'vitest';
import { adminViews, viewNamed } from './adminViews.ts';
import { pageNamed, viewAddress } from './viewAddress.ts';

describe('an administrator who opens an address', () => {
  test('finds every view of the sidebar', () => {
    for (const { key } of adminViews) {
      expect(viewNamed(new URLSearchParams(viewAddress(key).search).get('view')).key).toBe(key);
    }
  });

  test('finds the dashboard if the address names no existing view', () => {
    expect(viewNamed(null).key).toBe('dashboard');
    expect(viewNamed('vault').key).toBe('dashboard');
  });

  test('finds the page it names, and the first page if it names none', () => {
    expect(pageNamed(new URLSearchParams(viewAddress('transactions', 7).search))).toBe(7);
    for (const text of ['', 'page=0', 'page=-2', 'page=1.5', 'page=x', 'page=1e99']) {
      expect(pageNamed(new URLSearchParams(text))).toBe(1);
    }
  });
});
