/** Compares two captures: pixels and bytes decide, computed styles explain. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import sharp from 'sharp';
import type { Bytes } from './capture.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Prints what differs, and gives the exit code: 1 where a pixel differs, a picture is missing or a page has grown. */
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
  say(`\n${names.length} pictures: ${differing} differ. ${grown} pages grew. See ${out}`);
  return differing + grown === 0 ? 0 : 1;
}

type Picture = { data: Buffer; width: number; height: number };

async function readPicture(file: string): Promise<Picture> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

const pixelAt = ({ data, width, height }: Picture, x: number, y: number) =>
  x < width && y < height ? data.readInt32LE((y * width + x) * 4) : 0;

/** How many pixels differ. Writes a picture that shows them in red on the faded screen. */
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

type Styles = Map<string, Map<string, string>>;

function readStyles(name: string): Styles {
  const lines = gunzipSync(readFileSync(`${name}.styles.gz`))
    .toString()
    .split('\n');
  return new Map(
    lines.map(line => {
      const [path = '', ...said] = line.split('\t');
      return [
        path,
        new Map(
          said.map(one => one.split(': ', 1).concat(one.slice(one.indexOf(': ') + 2)) as [string, string]),
        ),
      ];
    }),
  );
}

/** The properties that changed, by element; what an element only inherits is said of the first one. */
function compareStyles(before: string, after: string): { path: string; what: string }[] {
  if (readFileSync(`${before}.styles.gz`).equals(readFileSync(`${after}.styles.gz`))) return [];
  const [was, is] = [readStyles(before), readStyles(after)];
  const said = new Set<string>();
  const changes: { path: string; what: string }[] = [];
  for (const path of new Set([...was.keys(), ...is.keys()])) {
    const [old, now] = [was.get(path), is.get(path)];
    const parent = path.slice(0, path.lastIndexOf('/'));
    if (!old || !now) {
      changes.push({ path, what: old ? 'is no longer drawn' : 'is drawn now' });
      continue;
    }
    for (const property of new Set([...old.keys(), ...now.keys()])) {
      const [a = 'default', b = 'default'] = [old.get(property), now.get(property)];
      if (property === 'class' || a === b) continue;
      const what = `${property}: ${a} → ${b}`;
      said.add(`${path} ${what}`);
      if (!said.has(`${parent} ${what}`)) changes.push({ path: `${path} .${now.get('class') ?? ''}`, what });
    }
  }
  return changes;
}

/** Prints every page whose size changed; gives how many grew. */
function compareBytes(before: string, after: string, only: RegExp): number {
  const [was, is] = [before, after].map(
    folder => JSON.parse(readFileSync(join(folder, 'bytes.json'), 'utf8')) as Record<string, Bytes>,
  ) as [Record<string, Bytes>, Record<string, Bytes>];
  const total = ({ document, stylesheet, script }: Bytes) => document + stylesheet + script;
  let [same, grown] = [0, 0];
  for (const [name, now] of Object.entries(is)) {
    const old = was[name];
    if (!old || !only.test(name)) continue;
    const difference = total(now) - total(old);
    if (difference > 0) grown++;
    if (difference === 0) same++;
    else
      say(
        `${name}: HTML ${old.document} → ${now.document}, CSS ${old.stylesheet} → ${now.stylesheet}, JS ${old.script} → ${now.script} bytes: ${difference}`,
      );
  }
  say(`\n${same} pages of the same size.`);
  return grown;
}
