/** Compares two captures: pixels and bytes decide, computed styles explain. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import type { Bytes } from './capture.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Prints the differences and returns the exit code: 1 if a pixel differs, a screenshot is missing or a page has grown. */
export async function compare(before: string, after: string, only: RegExp): Promise<number> {
  const out = join(after, 'differences');
  await rm(out, { recursive: true, force: true });
  await mkdir(out);
  const names = [...new Set([before, after].flatMap(folder => readdirSync(folder)))]
    .filter(file => file.endsWith('.png') && only.test(file.split('@')[0]!))
    .map(file => file.slice(0, -'.png'.length))
    .sort();
  if (names.length === 0) throw new Error('There is nothing to compare.');

  let differing = 0;
  const invisible = new Map<string, string[]>();
  for (const name of names) {
    const [was, is] = [join(before, name), join(after, name)];
    if (![was, is].every(one => existsSync(`${one}.png`))) {
      differing++;
      say(`${name}: only in ${existsSync(`${was}.png`) ? before : after}`);
      continue;
    }
    const pixels = await comparePictures(`${was}.png`, `${is}.png`, join(out, `${name}.png`));
    const changes = compareStyles(was, is);
    if (pixels === 0) {
      for (const { path, what } of changes)
        invisible.set(what, [...(invisible.get(what) ?? []), `${name} ${path}`]);
      continue;
    }
    differing++;
    say(`${name}: ${pixels.toLocaleString('en-US')} pixels`);
    for (const { path, what } of changes.slice(0, 12)) say(`    ${path}  ${what}`);
    if (changes.length > 12) say(`    and ${changes.length - 12} more`);
  }
  if (invisible.size > 0)
    say('\nComputed styles that changed without changing a pixel, the most frequent first:');
  for (const [what, places] of [...invisible].sort(([, a], [, b]) => b.length - a.length).slice(0, 60))
    say(`${String(places.length).padStart(6)} × ${what}  (${places[0]})`);
  const grown = compareBytes(before, after, only);
  say(
    `${names.length} pictures compared, ${differing} of them differ${differing > 0 ? `: see ${out}` : ''}.`,
  );
  return differing + grown === 0 ? 0 : 1;
}

type Picture = { data: Buffer; width: number; height: number };

async function readPicture(file: string): Promise<Picture> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const pixelAt = ({ data, width, height }: Picture, x: number, y: number) =>
  x < width && y < height ? data.readInt32LE((y * width + x) * 4) : 0;

/** Returns the number of different pixels. Writes an image that shows these pixels in red on the faded screen. */
async function comparePictures(before: string, after: string, out: string): Promise<number> {
  if (readFileSync(before).equals(readFileSync(after))) return 0;
  const [was, is] = await Promise.all([readPicture(before), readPicture(after)]);
  const [width, height] = [Math.max(was.width, is.width), Math.max(was.height, is.height)];
  const drawn = Buffer.alloc(width * height * 4);
  let differing = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = pixelAt(is, x, y);
      const differs = pixel !== pixelAt(was, x, y);
      if (differs) differing++;
      drawn.writeInt32LE(differs ? 0xff0000ff | 0 : (pixel & 0x00ffffff) | 0x40000000, (y * width + x) * 4);
    }
  }
  if (differing > 0)
    await sharp(drawn, { raw: { width, height, channels: 4 } })
      .png()
      .toFile(out);
  return differing;
}

/** The classes and properties of each element, by its path. */
function readStyles(name: string): Map<string, Record<string, string>> {
  const lines = gunzipSync(readFileSync(`${name}.styles.gz`))
    .toString()
    .trimEnd()
    .split('\n');
  const pair = (text: string) =>
    [text.slice(0, text.indexOf(': ')), text.slice(text.indexOf(': ') + 2)] as const;
  return new Map(
    lines.map(line => line.split('\t')).map(([path, ...said]) => [path!, Object.fromEntries(said.map(pair))]),
  );
}

/** Changes by element. A change that the parent has too is left out: it is inherited, or follows from the parent's width. */
function compareStyles(before: string, after: string): { path: string; what: string }[] {
  if (readFileSync(`${before}.styles.gz`).equals(readFileSync(`${after}.styles.gz`))) return [];
  const [was, is] = [readStyles(before), readStyles(after)];
  const found = new Set<string>();
  return [...new Set([...was.keys(), ...is.keys()])].flatMap(path => {
    const [old, now] = [was.get(path), is.get(path)];
    if (!old || !now) return [{ path, what: old ? 'is no longer drawn' : 'is drawn now' }];
    const parent = path.slice(0, path.lastIndexOf('/'));
    return [...new Set(Object.keys({ ...old, ...now }))].flatMap(property => {
      const [a = 'default', b = 'default'] = [old[property], now[property]];
      if (property === 'class' || a === b) return [];
      const what = `${property}: ${a} → ${b}`;
      found.add(`${path} ${what}`);
      return found.has(`${parent} ${what}`) ? [] : [{ path: `${path} .${now.class}`, what }];
    });
  });
}

/** Prints every page whose size changed; returns how many grew. */
function compareBytes(before: string, after: string, only: RegExp): number {
  const read = (folder: string): Record<string, Bytes> =>
    JSON.parse(readFileSync(join(folder, 'bytes.json'), 'utf8'));
  const [was, is] = [read(before), read(after)];
  const total = (bytes: Bytes) => Object.values(bytes).reduce((sum, one) => sum + one, 0);
  const kinds = { document: 'HTML', stylesheet: 'CSS', script: 'JS' };
  let [count, grown] = [0, 0];
  for (const [name, now] of Object.entries(is)) {
    const old = was[name];
    if (!old || !only.test(name)) continue;
    count++;
    const more = total(now) - total(old);
    if (more > 0) grown++;
    const parts = Object.entries(kinds).map(
      ([kind, text]) => `${text} ${old[kind as keyof Bytes]} → ${now[kind as keyof Bytes]}`,
    );
    if (parts.some(part => !/ (\d+) → \1$/.test(part)))
      say(`${name}: ${parts.join(', ')} bytes, ${more > 0 ? '+' : ''}${more}`);
  }
  say(`\n${count} pages measured, ${grown} of them have grown.`);
  return grown;
}
