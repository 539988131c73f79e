/** Files of the web share a page: what a test stored there is gone before the next one begins. */
import { afterEach } from 'vitest';

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
