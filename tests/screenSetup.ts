/** Prepares the simulated page of a test file that has a page of its own, and cleans it up after each test of a component. */
import { ReadableStream } from 'node:stream/web';
import { configure } from '@testing-library/dom';
import { afterEach, expect, vi } from 'vitest';
import { waitLimitMs } from './waiting.ts';

// Longer than the default of one second, because many processes share few cores.
configure({ asyncUtilTimeout: waitLimitMs });

// Browsers have these; the simulated page of these tests does not. Nothing in it has a size to observe.
class ResizeObserver {
  observe() {}
  disconnect() {}
}
Object.assign(globalThis, { ReadableStream, ResizeObserver });
// jsdom does not implement these.
Element.prototype.scrollIntoView = () => {};
Element.prototype.scrollTo = () => {};

// Only .tsx files render components. Loading React would slow down the other files.
if (expect.getState().testPath?.endsWith('.tsx')) {
  const { cleanup } = await import('@testing-library/react');
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    localStorage.clear();
    sessionStorage.clear();
  });
}
