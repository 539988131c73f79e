/** Serves a small sample build: each kind of page, the assets, and nothing else. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from '../../../tests/rawRequest.ts';
import { addHeaders } from './headers.ts';
import { servePages } from './pages.ts';
import { sendRefusal, toRefusal } from './refusal.ts';

const script = 'console.log("the app");'.repeat(100);
const inlineOf = (style: string) => ({ scripts: ["'sha256-c2NyaXB0'"], styles: [`'sha256-${style}'`] });
const pages: Record<string, string> = {
  'index.html': '<h1>home</h1>',
  'about/index.html': '<h1>about</h1>',
  'card/index.html': '<meta property="og:image" content="{origin}/cards/home.png">',
  'admin/login/index.html': '<h1>admin login</h1>',
  'app.html': '<meta content="{routing}"><h1>shell</h1>',
  '404.html': '<h1>nothing here</h1>',
  'coverage/index.html': '<meta content="{insurance}"><p>{insurance}</p>',
};
const built: Record<string, string | Buffer> = {
  ...Object.fromEntries(Object.entries(pages).map(([file, html]) => [`web/${file}`, html])),
  'web/assets/app-4f2a.js': script,
  'web/assets/app-4f2a.js.br': brotliCompressSync(script),
  'web/assets/app-4f2a.js.gz': gzipSync(script),
  'web/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'web/.secret': 'secret',
  'addressed/sitemap.xml': '<loc>{origin}/about</loc>',
  'addressed/robots.txt': 'Sitemap: {origin}/sitemap.xml',
  'csp.json': JSON.stringify({
    ...Object.fromEntries(Object.keys(pages).map(file => [file, inlineOf('c3R5bGU=')])),
    'card/index.html': inlineOf('Y2FyZA=='),
  }),
  stamp: 'secret',
};

const dist = mkdtempSync(join(tmpdir(), 'larkspur-pages-'));
const opened: FastifyInstance[] = [];

async function serve(from: string, isLocal: boolean): Promise<string> {
  const app = Fastify({ genReqId: () => crypto.randomUUID() });
  opened.push(app);
  app.setErrorHandler((error, request, reply) => sendRefusal(reply, toRefusal(error, request.log)));
  addHeaders(app, false);
  await servePages(app, {
    dist: from,
    isHttps: false,
    isLocal,
    publicUrl: 'https://bank.example',
    routingNumber: '800000022',
    insuranceNotice: 'Insured up to $250,000 & {origin} "safe" <b>$&</b>',
  });
  return await app.listen({ port: 0, host: '127.0.0.1' });
}

let url: string;
beforeAll(async () => {
  for (const [file, content] of Object.entries(built)) {
    mkdirSync(dirname(join(dist, file)), { recursive: true });
    writeFileSync(join(dist, file), content);
  }
  url = await serve(dist, false);
});
afterAll(async () => {
  await Promise.all(opened.map(app => app.close()));
  rmSync(dist, { recursive: true, force: true });
});

const get = (path: string, more: RequestInit = {}) => fetch(`${url}${path}`, more);

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self' 'sha256-c2NyaXB0'",
    "script-src-attr 'none'",
    "style-src 'self' 'sha256-c3R5bGU='",
    "style-src-attr 'none'",
    "img-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "frame-src 'none'",
    "media-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types service-worker',
    'report-uri /api/v1/csp-report',
  ].join('; '),
  'reporting-endpoints': null,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

async function expectPage(path: string, status: number, text: string, cache: string): Promise<void> {
  const answer = await get(path);
  const seen = Object.fromEntries(Object.keys(pageHeaders).map(name => [name, answer.headers.get(name)]));
  expect({ path, status: answer.status, text: await answer.text(), ...seen }).toEqual({
    path,
    status,
    text,
    ...pageHeaders,
  });
  expect(answer.headers.get('cache-control'), path).toBe(cache);
}

describe('a page', () => {
  test('of the build is served by its path, with or without a trailing slash, and revalidated each time', async () => {
    for (const path of ['/', '/?from=mail', '/index.html'])
      await expectPage(path, 200, '<h1>home</h1>', 'no-cache');
    for (const path of ['/about', '/about/', '/about?x=1'])
      await expectPage(path, 200, '<h1>about</h1>', 'no-cache');
    await expectPage('/admin/login', 200, '<h1>admin login</h1>', 'no-cache');
  });

  test('opens whatever the case of its path, as in the browser’s router', async () => {
    await expectPage('/About', 200, '<h1>about</h1>', 'no-cache');
    await expectPage('/Dashboard', 200, '<meta content="800000022"><h1>shell</h1>', 'no-store');
  });

  test('contains the insurance notice as text, whatever characters it has [RC-48]', async () => {
    const escaped = 'Insured up to $250,000 &#38; {origin} &#34;safe&#34; &#60;b&#62;$&#38;&#60;/b&#62;';
    const page = `<meta content="${escaped}"><p>${escaped}</p>`;
    await expectPage('/coverage', 200, page, 'no-cache');
  });

  test('behind a login is the empty shell, which is not cached', async () => {
    for (const path of [
      '/dashboard',
      '/dashboard/settings',
      '/transfer',
      '/admin',
      '/admin/dashboard',
      '/dashboard/',
    ])
      await expectPage(path, 200, '<meta content="800000022"><h1>shell</h1>', 'no-store');
  });

  test('that does not exist is the 404 page', async () => {
    for (const path of [
      '/nothing',
      '/about/more',
      '/dashboards',
      '/administrator',
      '/a/b/c',
      '/%3Cscript%3E',
    ])
      await expectPage(path, 404, '<h1>nothing here</h1>', 'no-cache');
  });

  test('answers a HEAD request', async () => {
    const answer = await get('/about', { method: 'HEAD' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-security-policy')).toBe(pageHeaders['content-security-policy']);
    expect(await answer.text()).toBe('');
  });

  test('allows its own inline styles and no other page’s', async () => {
    const policyOf = async (path: string) => (await get(path)).headers.get('content-security-policy');
    expect(await policyOf('/card')).toContain("style-src 'self' 'sha256-Y2FyZA==';");
    expect(await policyOf('/about')).toContain("style-src 'self' 'sha256-c3R5bGU=';");
  });

  test('for developers is served only in development', async () => {
    await expectPage('/dev/components', 404, '<h1>nothing here</h1>', 'no-cache');
    const local = await serve(dist, true);
    expect((await fetch(`${local}/dev/components`)).status).toBe(200);
    expect((await fetch(`${local}/dev/other`)).status).toBe(404);
  });
});

describe('the origin that visitors use', () => {
  const card = '<meta property="og:image" content="https://bank.example/cards/home.png">';

  test('is filled in on every page, compressed or not, regardless of the requested host [RC-32]', async () => {
    for (const [encoding, expected] of [
      ['br', 'br'],
      ['GZIP', 'gzip'],
      ['gzip, deflate, br, zstd', 'br'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['br;q=0.2, gzip', 'gzip'],
      ['identity', null],
      ['', null],
    ] as const) {
      const headers = { 'accept-encoding': encoding, 'x-forwarded-host': 'thief.example' };
      const answer = await get('/card', { headers });
      expect(answer.headers.get('content-encoding'), encoding).toBe(expected);
      expect(answer.headers.get('vary')).toMatch(/accept-encoding/i);
      expect(await answer.text()).toBe(card);
    }
    const { body } = await sendRaw(url, ['GET /card HTTP/1.1', 'Host: thief.example', 'Connection: close']);
    expect(body).toContain('https://bank.example/cards/home.png');
  });

  test('does not prevent revalidation: a browser that has the page gets 304', async () => {
    const first = await get('/card');
    const etag = first.headers.get('etag') ?? '';
    for (const held of [etag, `"another", W/${etag}`, '*']) {
      const again = await get('/card', { headers: { 'if-none-match': held } });
      expect(again.status, held).toBe(304);
      expect(await again.text()).toBe('');
      expect(again.headers.get('content-security-policy')).toBe(first.headers.get('content-security-policy'));
    }
    const changed = await get('/card', { headers: { 'if-none-match': '"another"' } });
    expect(changed.status).toBe(200);
  });
});

test('the sitemap and robots.txt contain the origin that visitors use', async () => {
  const sitemap = await get('/sitemap.xml');
  expect(sitemap.headers.get('content-type')).toMatch('application/xml');
  expect(await sitemap.text()).toBe('<loc>https://bank.example/about</loc>');
  const robots = await get('/robots.txt');
  expect(robots.headers.get('content-type')).toMatch('text/plain');
  expect(await robots.text()).toBe('Sitemap: https://bank.example/sitemap.xml');
});

describe('an asset', () => {
  test('is cached forever and compressed if the browser supports it', async () => {
    for (const encoding of ['br', 'gzip', 'identity']) {
      const answer = await get('/assets/app-4f2a.js', { headers: { 'accept-encoding': encoding } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(/^(text|application)\/javascript; charset=utf-8$/);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-encoding')).toBe(encoding === 'identity' ? null : encoding);
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(await answer.text()).toBe(script);
    }
    const icon = await get('/favicon.svg');
    expect(icon.headers.get('content-type')).toMatch('image/svg+xml');
    expect(icon.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(icon.headers.get('cache-control')).toBe('public, max-age=86400');
  });

  test('that is missing is answered with a JSON refusal, so that no browser runs an HTML page as a script', async () => {
    for (const path of [
      '/assets/app-0000.js',
      '/assets',
      '/assets/',
      '/files/x',
      '/api',
      '/api/v2',
      '/api/v1/x',
    ]) {
      const answer = await get(path);
      expect(answer.status, path).toBe(404);
      expect(answer.headers.get('content-type'), path).toBe('application/json; charset=utf-8');
      expect(answer.headers.get('cache-control'), path).toBe('no-store');
      expect(await answer.json()).toEqual({
        success: false,
        code: 'NOT_FOUND',
        message: 'We couldn’t find this.',
      });
    }
  });
});

test('only the build’s public files are served', async () => {
  for (const path of [
    '/csp.json',
    '/stamp',
    '/.secret',
    '/.env',
    '/.git/config',
    '/package.json',
    '/../csp.json',
    '/../../../../etc/passwd',
    '/%2e%2e/csp.json',
    '/%2e%2e%2fstamp',
    '/assets/..%2f..%2fstamp',
    '/assets/%2e%2e/%2e%2e/stamp',
    '/about/../../stamp',
    '/..\\stamp',
    '//stamp',
    '/assets/app-4f2a.js/../../../stamp',
    '/about%00.html',
    '/assets//../../stamp',
  ]) {
    const { status, body } = await sendRaw(url, [`GET ${path} HTTP/1.1`, 'Host: bank', 'Connection: close']);
    expect([400, 404], `${path} -> ${status}`).toContain(status);
    expect(body, path).not.toMatch(/secret|sha256|root:/);
  }
});

test('a POST to a page is refused', async () => {
  for (const path of ['/', '/about', '/dashboard', '/nothing'])
    expect((await get(path, { method: 'POST' })).status).toBe(404);
});

test('without a build, the server starts and refuses every page', async () => {
  const bare = await serve(join(dist, 'nowhere'), true);
  for (const path of ['/', '/dashboard', '/about', '/nothing']) {
    const answer = await fetch(`${bare}${path}`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ success: false, code: 'NOT_FOUND' });
  }
});

test('a build for another server version is refused with a message that says to build again', async () => {
  const former = join(dist, 'former');
  const contents = [
    '{"index.html":"',
    '{"index.html":["sha256-c3R5bGU="]}',
    '{"scripts":[],"styles":[]}',
    'null',
  ];
  for (const written of contents) {
    mkdirSync(join(former, 'web'), { recursive: true });
    writeFileSync(join(former, 'csp.json'), written);
    await expect(serve(former, true), written).rejects.toThrow(
      'The web app was built by another version of the bank: run `npm run build` and start again.',
    );
  }
});
