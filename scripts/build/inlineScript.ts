/**
 * Compiles the scripts that consist of one file: the two that are inlined into pages, because they must run before any file of
 * the app has loaded, and the service worker.
 */

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';

const web = fileURLToPath(new URL('../../src/web', import.meta.url));

/** Bundles a file of `src/web` with its imports into one minified script. */
export async function compileScript(file: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2023',
      minify: true,
      lib: { entry: path.join(web, file), formats: ['iife'], name: 'script' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [{ output }] = result as [Rolldown.RolldownOutput];
  return output[0].code.trim();
}

/** Replaces `<script data-compile src="…">` in the page with the compiled script, in builds and in development. */
export function inlineScripts(): Plugin {
  return {
    name: 'inline-scripts',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const [tag = '', file = ''] = /<script data-compile src="\/(.+?)"><\/script>/.exec(html) ?? [];
        if (tag === '') throw new Error('The page has no <script data-compile> to replace');
        const script = await compileScript(file);
        return html.replace(tag, () => `<script>${script}</script>`);
      },
    },
  };
}
