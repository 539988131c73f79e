/** A ResizeObserver that never reports anything: the simulated page of the tests has none, because nothing in it has a size. */
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
