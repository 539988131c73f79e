/**
 * Turns a client build into pages. Every public path is prerendered with the styles of its first screens inline, its fonts
 * preloaded, and its script loaded when the browser is idle. `app.html` is the shell of the paths behind a login.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Manifest } from 'vite';
import { type InlineHashes, pagePolicy } from '#server/http/headers.ts';
import { describePage, type PageFacts, writeAddresses } from './describe.ts';
import { compileScript } from './inlineScript.ts';

/** The result of `src/web/app/prerender.tsx` for a page. */
type RenderedPage = { head: string; body: string; fetched: string[]; later: string[]; page?: PageFacts };
type Prerender = {
  prerenderedPaths: readonly string[];
  renderPage: (path: string) => Promise<RenderedPage>;
  renderShell: () => Promise<RenderedPage>;
  renderOffline: () => Promise<RenderedPage>;
};

/** Fonts of the first screen: their file names without the hash. */
const preloadedFonts = ['newsreader', 'figtree'];

const entry = 'index.html';

/**
 * The placeholder before the part of a page whose styles are linked separately. The browser parses that part only after its
 * styles have loaded (or failed). Until then, Chromium already paints the part above the placeholder.
 */
const laterStylesPlace = '<div data-later-styles="true">';

/** Returns the manifest key of a file, given its path or the name of its component. */
function keyOf(manifest: Manifest, name: string): string {
  const keys = Object.keys(manifest).filter(key => key === name || key.endsWith(`/${name}.tsx`));
  if (keys.length !== 1) throw new Error(`${keys.length} files of the build are named ${name}`);
  return keys[0]!;
}

/** Returns everything a set of files loads: chunks in dependency order, styles in cascade order. */
function collect(manifest: Manifest, names: string[]) {
  const chunks = new Set<string>();
  const styles = new Set<string>();
  const seen = new Set<string>();
  const visit = (key: string) => {
    const found = manifest[key]!;
    if (seen.has(key)) return;
    seen.add(key);
    for (const needed of found.imports ?? []) visit(needed);
    for (const style of found.css ?? []) styles.add(style);
    chunks.add(`/${found.file}`);
  };
  for (const name of names) visit(keyOf(manifest, name));
  return { chunks: [...chunks], styles: [...styles] };
}

const fingerprint = (content: string | Buffer) =>
  `sha256-${createHash('sha256').update(content).digest('base64')}`;

function listCspSources(html: string, element: 'script' | 'style'): string[] {
  const inline = new RegExp(`<${element}>(.*?)</${element}>`, 'gs');
  return [...html.matchAll(inline)].map(([, content = '']) => `'${fingerprint(content)}'`);
}

const inlineHashes = (html: string): InlineHashes => ({
  scripts: listCspSources(html, 'script'),
  styles: listCspSources(html, 'style'),
});

/** Writes every page of `next/web`, and the CSP hashes of each page to `next/csp.json`. Returns the number of pages. */
export async function writePages(next: string): Promise<number> {
  const web = path.join(next, 'web');
  const written = await readFile(path.join(web, 'index.html'), 'utf8');
  // Removes comments, which start with a space; the placeholders `<!--head-->` and `<!--app-->` do not.
  const template = written.replace(/<!-- .*? -->\n/gs, '');
  const manifest: Manifest = JSON.parse(await readFile(path.join(web, '.vite/manifest.json'), 'utf8'));
  await rm(path.join(web, '.vite'), { recursive: true });
  const startPage = await compileScript('app/startPage.ts');
  const prerender: Prerender = await import(pathToFileURL(path.join(next, 'ssr/prerender.js')).href);

  const assets = await readdir(path.join(web, 'assets'));
  const fonts = preloadedFonts.map(font => {
    const file = assets.find(name => new RegExp(`^${font}-.{7}\\.woff2$`).test(name));
    if (file === undefined) throw new Error(`The build has no font ${font}`);
    return `<link rel="preload" href="/assets/${file}" as="font" type="font/woff2" crossorigin>`;
  });

  const css = new Map<string, string>();
  const readStyles = async (files: string[]) => {
    for (const file of files) {
      if (!css.has(file)) css.set(file, (await readFile(path.join(web, file), 'utf8')).trim());
    }
    return files.map(file => css.get(file)).join('\n');
  };

  // A page's later styles become one file. A chunk that needs some of them still loads its own CSS file.
  const linkLaterStyles = async (body: string, styles: string) => {
    if (!body.includes(`${laterStylesPlace}</div>`))
      throw new Error('A page has no place for its later styles');
    const file = `assets/later-${createHash('sha256').update(styles).digest('base64url').slice(0, 8)}.css`;
    await writeFile(path.join(web, file), styles);
    return body.replace(laterStylesPlace, place => `${place}<link rel="stylesheet" href="/${file}">`);
  };

  // Subresource integrity: a browser accepts no other content for a linked file. Disabled links are never fetched.
  const linkedFile =
    /<(?:script|link)(?=[^>]* (?:src|href)="(\/assets\/[^"]+\.(?:js|css))")(?![^>]* disabled)[^>]*/g;
  const addIntegrity = (html: string) =>
    html.replace(
      linkedFile,
      (tag, file) => `${tag} integrity="${fingerprint(readFileSync(path.join(web, file)))}"`,
    );

  const assemble = async (page: RenderedPage, prerendered: boolean, description = '', script = startPage) => {
    const { styles } = collect(manifest, [entry, ...page.fetched]);
    // The entry is last, so that the screens are loaded when it starts the app.
    const { chunks } = collect(manifest, [...page.fetched, entry]);
    if (chunks.at(-1) !== `/${manifest[entry]!.file}`)
      throw new Error(
        `${page.fetched.join()} imports the entry: the app would start before its files are there`,
      );
    const later = collect(manifest, page.later).styles.filter(file => !styles.includes(file));
    // The inlined styles are also linked, so that a chunk that needs them does not append them after other styles. The links
    // are disabled, so that browsers do not fetch them.
    const inlined = styles.map(file => `<link rel="stylesheet" href="/${file}" disabled>`);
    const head = [page.head, description, ...fonts, `<style>${await readStyles(styles)}</style>`, ...inlined];
    const body = later.length > 0 ? await linkLaterStyles(page.body, await readStyles(later)) : page.body;
    let html = template
      .replace(/\s*<link rel="stylesheet"[^>]*>/g, '')
      .replace('<!--head-->', () => head.join('\n'))
      .replace('<!--app-->', () => body);
    if (prerendered) {
      html = html
        .replace(/\s*<script type="module"[^>]*><\/script>/, '')
        .replace(/\s*<link rel="modulepreload"[^>]*>/g, '')
        .replace('<html', `<html data-chunks="${chunks.join(' ')}"`)
        .replace('<div id="root"', '<div id="root" data-prerendered');
      html = html.replace('</body>', () => `<script>${script}</script>\n</body>`);
    }
    html = addIntegrity(html);
    if (/\sstyle="/.test(html))
      throw new Error('A page has a style attribute; the content security policy forbids it');
    return html;
  };

  const pages = new Map<string, string>();
  for (const address of prerender.prerenderedPaths) {
    const file = address === '/404' ? '404.html' : path.join(address.slice(1), 'index.html');
    const page = await prerender.renderPage(address);
    pages.set(file, await assemble(page, true, describePage(address, page.page)));
  }
  pages.set('app.html', await assemble(await prerender.renderShell(), false));

  for (const [file, html] of pages) {
    await mkdir(path.dirname(path.join(web, file)), { recursive: true });
    await writeFile(path.join(web, file), html);
  }
  // The offline page is part of the worker's script, so browsers install a new worker when the page changes. The page is
  // served at the addresses of other screens, so it must not start the app with their screen. Its script only reloads, a
  // second after the browser is online again, because a new connection does not always work at once.
  const reload = "addEventListener('online', () => setTimeout(() => location.reload(), 1000));";
  const html = await assemble(await prerender.renderOffline(), true, '', reload);
  const policy = pagePolicy(inlineHashes(html), false);
  const worker = await compileScript('worker/serviceWorker.ts');
  await writeFile(
    path.join(web, 'service-worker.js'),
    `const offline = ${JSON.stringify({ html, policy })};\n${worker}\n`,
  );
  await writeAddresses(next, prerender.prerenderedPaths);
  const csp = [...pages].map(([file, html]) => [file.replaceAll('\\', '/'), inlineHashes(html)]);
  await writeFile(path.join(next, 'csp.json'), `${JSON.stringify(Object.fromEntries(csp), null, 2)}\n`);
  return pages.size;
}
