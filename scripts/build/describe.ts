/**
 * Metadata of the prerendered pages for search engines and social networks: canonical URL, image, structured data as JSON-LD
 * (the content security policy does not treat it as a script), `sitemap.xml` and `robots.txt`.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bank } from '#contract/constants.ts';
import { escapeHtml } from '#contract/html.ts';

/** The app's metadata of a page; see `PageInfo` in `src/web/app/screens.ts`. */
export type PageFacts = {
  title: string;
  description?: string;
  card?: string;
  facts?: Readonly<Record<string, unknown>>;
};

/** Paths that show the same page; the value is the canonical path. */
const sameAs: Record<string, string> = {
  '/private-policy': '/privacy-policy',
  '/anti-laundering': '/anti-laundring',
};
/** Prerendered pages that search engines must not index. */
const unlisted = [
  '/404',
  '/admin/login',
  '/admin/set-password',
  '/forgot-password',
  '/freeze-account',
  '/not-me',
];

/** Placeholder for the origin of the site; the server fills it in. */
const origin = '{origin}';

const theBank = {
  '@type': 'BankOrCreditUnion',
  name: bank.name,
  email: bank.supportEmail,
  telephone: bank.phone,
  address: bank.address,
  logo: `${origin}/icon-512.png`,
};

/** Returns the tags for a page's `<head>`. */
export function describePage(address: string, page: PageFacts | undefined): string {
  if (!page?.description || unlisted.includes(address)) return '<meta name="robots" content="noindex">';
  const own = `${origin}${sameAs[address] ?? address}`;
  const facts = address === '/' ? theBank : page.facts;
  const lines = [
    `<link rel="canonical" href="${own}">`,
    `<meta property="og:type" content="${page.facts?.['@type'] === 'Article' ? 'article' : 'website'}">`,
    `<meta property="og:site_name" content="${escapeHtml(bank.name)}">`,
    `<meta property="og:url" content="${own}">`,
    `<meta property="og:image" content="${origin}/cards/${page.card ?? 'home'}.png">`,
    '<meta property="og:image:width" content="1200">',
    '<meta property="og:image:height" content="630">',
    '<meta name="twitter:card" content="summary_large_image">',
  ];
  if (facts) {
    const data = JSON.stringify({ '@context': 'https://schema.org', ...facts, url: own });
    lines.push(`<script type="application/ld+json">${data.replaceAll('<', '\\u003c')}</script>`);
  }
  return lines.join('\n');
}

/** Writes `sitemap.xml` and `robots.txt` to `next/addressed/`. */
export async function writeAddresses(next: string, addresses: readonly string[]): Promise<void> {
  const folder = path.join(next, 'addressed');
  const listed = addresses.filter(address => !unlisted.includes(address) && !(address in sameAs));
  const urls = listed.map(address => `  <url><loc>${origin}${address}</loc></url>`);
  const sitemap = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
  const robots = `User-agent: *
Disallow: /dashboard
Disallow: /transfer
Disallow: /admin
Disallow: /api/

Sitemap: ${origin}/sitemap.xml
`;
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'sitemap.xml'), sitemap);
  await writeFile(path.join(folder, 'robots.txt'), robots);
}
