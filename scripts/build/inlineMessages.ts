/**
 * A step of the web build: writes sentences into the code that says them. `messages.nav.home` becomes `"Home"`, so a page
 * carries the sentences it shows and not every sentence of the product. Code that takes a whole group of messages keeps it;
 * a build in which no code at all gets its sentences fails, since then the patterns below no longer fit how code is written.
 */
import type { Plugin } from 'vite';
import { messages } from '#contract/messages.ts';

const use = /\bmessages\.(\w+)\.(\w+)\b/g;
const importLine = /^import \{ (fill, )?messages \} from '#contract\/messages\.ts';$/m;
/** Comments and plain strings, which may say the word. */
const quietText = /\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'/g;

/** The code with every single message in its place; unchanged where nothing is left to do. */
function inlineMessages(code: string): string {
  if (!importLine.test(code)) return code;
  const inlined = code.replace(use, (whole, group: string, name: string) => {
    const value = (messages as Record<string, Record<string, unknown>>)[group]?.[name];
    return value === undefined ? whole : `(${JSON.stringify(value)})`;
  });
  const rest = inlined.replace(importLine, (_, fill?: string) =>
    fill ? "import { fill } from '#contract/messages.ts';" : '',
  );
  // Somebody here takes more than single messages.
  return /\bmessages\b/.test(rest.replace(quietText, '')) ? code : rest;
}

/** The step, for production builds only: tests and the development server read the messages where they stand. */
export function messagesPlugin(): Plugin {
  let inlinedFiles = 0;
  return {
    name: 'inline-messages',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/src\/web\/.*\.tsx?$/.test(id)) return undefined;
      const inlined = inlineMessages(code);
      if (inlined === code) return undefined;
      inlinedFiles++;
      return { code: inlined, map: null };
    },
    buildEnd(error) {
      if (!error && inlinedFiles === 0) this.error('No message was written into the code that says it');
    },
  };
}
