/** Clears browser storage after each test, because test files of the web app share a page. */
import { afterEach } from 'vitest';

afterEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
