import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { inlineScripts } from './scripts/build/inlineScript.ts';

/** Chunks: libraries that change rarely, so that they stay cached across releases and run in separate tasks, and the frame. */
const groups = [
  { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
  // Without RTK Query: only screens behind a login make calls.
  {
    name: 'store',
    test: /node_modules[\\/](@reduxjs[\\/]toolkit[\\/]dist[\\/](?!query)|immer|redux|redux-thunk|react-redux)/,
  },
  // The frame and its imports, separate from the entry: screens share it and may load before the entry starts the app.
  { name: 'frame', test: /src[\\/]web[\\/]app[\\/]routes\.tsx$/ },
];

export default defineConfig(({ isSsrBuild }) => ({
  root: fileURLToPath(new URL('src/web', import.meta.url)),
  envDir: false,
  plugins: [react(), inlineScripts()],
  build: {
    target: 'es2023',
    cssTarget: ['chrome125', 'firefox128', 'safari18'],
    // The content security policy allows no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      optimization: { inlineConst: { mode: 'all', pass: 3 } },
      // The shortest hashes: a page names fifty files and must fit into its first packets (tests/e2e/site.spec.ts).
      output: {
        // The prerendered pages have the names that the server's build gives to pictures.
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        ...(!isSsrBuild && {
          codeSplitting: { groups },
          entryFileNames: 'assets/[name]-[hash:7].js',
          chunkFileNames: 'assets/[name]-[hash:7].js',
        }),
      },
    },
  },
}));
