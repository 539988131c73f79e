/**
 * Runs in the head of every page before the first paint. Sets the chosen theme, preloads the theme's version of the page's
 * picture (if it has one), and decides which links the top bar shows. `vite.config.ts` compiles this file into `index.html`.
 */
import { storedTheme } from '#web/ui/theme.ts';

const page = document.documentElement.dataset;
page.script = '';

const theme = storedTheme();
if (theme !== 'system') page.theme = theme;
const scheme = page.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
document.querySelector(`link[data-scheme=${scheme}]`)?.removeAttribute('media');

try {
  if (localStorage.getItem('user')) page.customer = '';
  if (localStorage.getItem('admin')) page.admin = '';
} catch {
  // Storage is not available, so there is no session.
}
