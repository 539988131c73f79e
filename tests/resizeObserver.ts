/** The document the tests run in has no sizes to observe. */
import { vi } from 'vitest';

export const stubResizeObserver = () => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
};
