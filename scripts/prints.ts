/**
 * Draws, with headless Chromium, the files that are made from our own content: social cards, icons and the business brochure in
 * `src/web/public`, and the logo of mails. Run it (`npm run prints`) after their words or drawings change, and commit what it
 * writes.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import sharp from 'sharp';
import { runnerImport } from 'vite';
import { bank } from '#contract/constants.ts';
import { readCommandLine } from '#server/commands/commandLine.ts';
import { findOrInstallBrowser } from './browser.ts';
import { drawBrochure } from './prints/brochure.ts';
import { drawCard } from './prints/card.ts';
import type { BusinessText } from './prints/sheet.ts';

readCommandLine(`Usage: npm run prints

Draws the social cards, the icons, the business brochure and the logo of mails. Takes no options; needs Chromium.
`);

const root = fileURLToPath(new URL('..', import.meta.url));
const web = path.join(root, 'src/web');
const out = path.join(web, 'public');

async function read<Module>(file: string): Promise<Module> {
  const { module } = await runnerImport<Module>(path.join(web, file), { root: web, configFile: false });
  return module;
}

const inline = async (file: string, type: string) =>
  `data:${type};base64,${(await readFile(file)).toString('base64')}`;
const art = (address: string) => inline(path.join(web, 'site/art', path.basename(address)), 'image/svg+xml');

/** Returns an .ico file that contains one PNG. */
function icoOf(png: Buffer, side: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(side, 6);
  head.writeUInt8(side, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

const fonts = {
  serif: await inline(path.join(web, 'ui/fonts/newsreader.woff2'), 'font/woff2'),
  sans: await inline(path.join(web, 'ui/fonts/figtree.woff2'), 'font/woff2'),
};
const { articleList } = await read<{
  articleList: { slug: string; title: string; category: string; image: string }[];
}>('site/content/articleList.ts');
const { businessText } = await read<{ businessText: BusinessText }>('site/content/business.ts');

const cards = [
  {
    name: 'home',
    above: bank.name,
    title: 'Every cent, accounted for.',
    image: 'cover-account-management.svg',
  },
  { name: 'about', above: bank.name, title: 'A bank that shows its work', image: 'page-about.svg' },
  { name: 'business', above: bank.name, title: businessText.heading, image: 'business.svg' },
  { name: 'help', above: bank.name, title: 'Help Desk', image: 'page-help.svg' },
  { name: 'event', above: bank.name, title: 'Free events, every month', image: 'event-first-home.svg' },
  ...articleList.map(({ slug, title, category, image }) => ({
    name: slug,
    above: category === 'research' ? 'Research' : category,
    title,
    image,
  })),
];

const found = await findOrInstallBrowser();
if ('missing' in found) throw new Error(found.missing);
const browser = await chromium.launch({ executablePath: found.path, args: ['--no-sandbox'] });
const mark = await inline(path.join(out, 'favicon.svg'), 'image/svg+xml');
await mkdir(path.join(out, 'cards'), { recursive: true });
const page = await browser.newPage({ viewport: { width: 1200, height: 630 }, colorScheme: 'light' });
for (const card of cards) {
  await page.setContent(drawCard({ ...card, image: await art(card.image), fonts, mark }));
  await page.evaluate(() => document.fonts.ready.then(() => true));
  const picture = await page.screenshot();
  await sharp(picture)
    .png({ palette: true, quality: 90, effort: 10 })
    .toFile(path.join(out, 'cards', `${card.name}.png`));
}
await page.setContent(drawBrochure({ text: businessText, cover: await art('business.svg'), fonts, mark }));
await page.evaluate(() => document.fonts.ready.then(() => true));
await page.pdf({
  path: path.join(out, businessText.brochure),
  format: 'Letter',
  printBackground: true,
  preferCSSPageSize: true,
  tagged: true,
});
await browser.close();

const favicon = await readFile(path.join(out, 'favicon.svg'));
/** Draws the logo. With a margin, the background has the color of paper, because phones crop icons to a circle. */
async function icon(side: number, margin: number): Promise<Buffer> {
  const inner = Math.round(side * (1 - 2 * margin));
  const logo = await sharp(favicon, { density: 600 })
    .resize(inner, inner, { fit: 'contain', background: 'transparent' })
    .png()
    .toBuffer();
  const background = margin > 0 ? '#faf8f3' : 'transparent';
  return await sharp({ create: { width: side, height: side, channels: 4, background } })
    .composite([{ input: logo, gravity: 'centre' }])
    .png({ palette: true })
    .toBuffer();
}
/** The logo for the dark header of mails, in the color of paper, at twice the size at which it is shown. */
const mailMark = favicon.toString().replace(/<style>.*<\/style>/, '<style>path{fill:#faf8f3}</style>');
await sharp(Buffer.from(mailMark), { density: 600 })
  .resize(68, 68)
  .png({ palette: true, effort: 10 })
  .toFile(path.join(root, 'src/server/jobs/mails/mark.png'));
/** Android shows only the shape of a notification's badge. */
const badge = favicon.toString().replace(/<style>.*<\/style>/, '<style>path{fill:#fff}</style>');
await sharp(Buffer.from(badge), { density: 600 })
  .resize(96, 96)
  .png({ palette: true })
  .toFile(path.join(out, 'badge.png'));
await writeFile(path.join(out, 'apple-touch-icon.png'), await icon(180, 0.16));
await writeFile(path.join(out, 'icon-192.png'), await icon(192, 0.2));
await writeFile(path.join(out, 'icon-512.png'), await icon(512, 0.2));
await writeFile(path.join(out, 'favicon.ico'), icoOf(await icon(32, 0), 32));
console.log(`${cards.length} cards, 1 brochure, 5 icons and the logo of mails printed.`);
