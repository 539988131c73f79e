/** Uploaded pictures: what is stored of them, and which files are refused before they cost much memory or time. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, onTestFinished, test } from 'vitest';
import * as errorMessages from '#contract/messages/errors.ts';
import { eventually } from '../../../tests/waiting.ts';
import { encodeAvatar, encodeIdCard } from './images.ts';

const canvas = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#5a57d1' } });

/** A PNG of noise, which does not compress. */
async function noise(width: number, height: number): Promise<Buffer> {
  const pixels = randomBytes(width * height * 3);
  return await sharp(pixels, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
}

const refused = { code: 'UNSUPPORTED_TYPE' };

test('a profile image in any accepted format becomes a 512 × 512 WebP [C-90, C-91]', async () => {
  for (const original of [canvas(900, 600).jpeg(), canvas(600, 900).png(), canvas(40, 40).webp()]) {
    const found = await sharp(await encodeAvatar(await original.toBuffer())).metadata();
    expect(found).toMatchObject({ format: 'webp', width: 512, height: 512 });
  }
});

test('an ID document is never cropped or scaled up, and is scaled down if it is large', async () => {
  const large = await sharp(await encodeIdCard(await canvas(4000, 2000).jpeg().toBuffer())).metadata();
  expect(large).toMatchObject({ width: 2000, height: 1000 });
  const small = await sharp(await encodeIdCard(await canvas(300, 200).jpeg().toBuffer())).metadata();
  expect(small).toMatchObject({ width: 300, height: 200 });
});

test('location and other metadata are removed, and the picture is rotated upright [C-92]', async () => {
  const original = await canvas(200, 100)
    .composite([
      { input: { create: { width: 100, height: 100, channels: 3, background: '#ff0000' } }, left: 0, top: 0 },
    ])
    .withMetadata({
      orientation: 6,
      exif: {
        IFD0: { Copyright: 'SECRET-CANARY' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 12/1' },
      },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">SECRET-CANARY</x:xmpmeta>')
    .jpeg()
    .toBuffer();
  expect(original.includes('SECRET-CANARY')).toBe(true);
  const stored = await encodeIdCard(original);
  const found = await sharp(stored).metadata();
  expect(found).toMatchObject({ width: 100, height: 200 });
  expect([found.exif, found.xmp, found.icc, found.iptc, found.orientation]).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
  expect(stored.includes('SECRET-CANARY')).toBe(false);
  // After rotating 90° clockwise, the left half is on top.
  const top = await sharp(stored).extract({ left: 40, top: 20, width: 1, height: 1 }).raw().toBuffer();
  expect(top[0]).toBeGreaterThan(200);
});

test('a web page appended to a picture is removed', async () => {
  const payload = Buffer.from('<script>alert(1)</script><?php system($_GET[0]) ?>');
  for (const original of [canvas(64, 64).jpeg(), canvas(64, 64).png(), canvas(64, 64).webp()]) {
    const polyglot = Buffer.concat([await original.toBuffer(), payload]);
    const stored = await encodeAvatar(polyglot);
    expect(stored.includes('script')).toBe(false);
    expect(stored.includes('php')).toBe(false);
  }
});

test('formats other than JPEG, PNG and WebP are refused [C-37, C-90]', async () => {
  const gif = await canvas(64, 64).gif().toBuffer();
  const tiff = await canvas(64, 64).tiff().toBuffer();
  const avif = await canvas(64, 64).avif().toBuffer();
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><script>alert(1)</script></svg>';
  const xxe = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/hostname">]>${svg}`;
  const others = [svg, xxe, '%PDF-1.7', 'PK\x03\x04', 'MZ', '<html>', 'BM', '\x00\x00\x01\x00', '', 'x'];
  for (const bytes of [gif, tiff, avif, ...others.map(text => Buffer.from(text, 'latin1'))]) {
    await expect(encodeAvatar(bytes)).rejects.toMatchObject(refused);
    await expect(encodeIdCard(bytes)).rejects.toMatchObject(refused);
  }
});

test('a file that only starts like a picture is refused [C-37, C-90]', async () => {
  const heads = ['\xff\xd8\xff\xe0', '\x89PNG\r\n\x1a\n', 'RIFF\x10\x00\x00\x00WEBP'];
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"/>';
  for (const head of heads) {
    for (const rest of ['', svg, '\0'.repeat(500)]) {
      await expect(encodeAvatar(Buffer.from(head + rest, 'latin1'))).rejects.toMatchObject(refused);
    }
  }
});

test('a truncated picture is refused as unreadable', async () => {
  const whole = await noise(200, 200).then(png => sharp(png).jpeg().toBuffer());
  for (const length of [20, whole.length >> 1, whole.length - 200]) {
    await expect(encodeAvatar(whole.subarray(0, length))).rejects.toMatchObject({
      ...refused,
      message: errorMessages.imageBroken,
    });
  }
});

test('a picture that is too small in either dimension is refused', async () => {
  for (const [width, height] of [
    [31, 64],
    [64, 31],
    [1, 9000],
    [9000, 1],
  ] as const) {
    await expect(encodeAvatar(await canvas(width, height).png().toBuffer())).rejects.toMatchObject({
      ...refused,
      message: errorMessages.imageTooSmall,
    });
  }
  await expect(encodeAvatar(await canvas(32, 32).png().toBuffer())).resolves.toBeInstanceOf(Buffer);
});

/** A valid progressive JPEG of 64 × 64 gray pixels with up to 127 scans: one for DC, and two for each other coefficient. */
function withScans(count: number): Buffer {
  const segment = (marker: number, ...data: number[]) => [0xff, marker, 0, data.length + 2, ...data];
  const noCodes = Array<number>(15).fill(0);
  const scan = (from: number, precision: number) => [
    ...segment(0xda, 1, 1, 0, from, from, precision),
    // A DC scan: 64 blocks with a difference of zero. An AC scan: one code that ends all blocks.
    ...(from === 0 ? Array<number>(8).fill(0) : [0, 0x3f]),
  ];
  const coefficients = Array.from({ length: 63 }, (_, index) => index + 1);
  return Buffer.from([
    0xff,
    0xd8,
    ...segment(0xdb, 0, ...Array<number>(64).fill(1)),
    ...segment(0xc2, 8, 0, 64, 0, 64, 1, 1, 0x11, 0),
    ...segment(0xc4, 0x00, 1, ...noCodes, 0),
    ...segment(0xc4, 0x10, 1, ...noCodes, 0x60),
    ...[
      scan(0, 0),
      ...coefficients.map(each => scan(each, 0x01)),
      ...coefficients.map(each => scan(each, 0x10)),
    ]
      .slice(0, count)
      .flat(),
    0xff,
    0xd9,
  ]);
}

test('a picture that would take seconds or a gigabyte to decode is refused: one with many scans or a very long side [C-98]', async () => {
  const sent = [withScans(33), withScans(127), bomb(700_000, 32), bomb(32, 700_000), bomb(16_385, 32)];
  for (const bytes of sent) {
    await expect(encodeAvatar(bytes)).rejects.toMatchObject(refused);
    await expect(encodeIdCard(bytes)).rejects.toMatchObject(refused);
  }
  await expect(encodeIdCard(bomb(16_384, 32))).resolves.toBeInstanceOf(Buffer);
  const progressive = await canvas(300, 200).jpeg({ progressive: true }).withMetadata().toBuffer();
  // The usual script for four colors has 18 scans.
  for (const bytes of [progressive, withScans(18)])
    await expect(encodeIdCard(bytes)).resolves.toBeInstanceOf(Buffer);
});

test('texts in a PNG are not decompressed: each can take 8 MB of memory [C-98]', async () => {
  const texts = Buffer.alloc(7_900_000, 'a');
  const chunks = [
    chunk('iTXt', Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0'), deflateSync(texts)])),
    chunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(texts)])),
    chunk('tEXt', Buffer.from('Comment\0a')),
  ];
  const plain = await canvas(64, 64).png().toBuffer();
  const headBytes = 33;
  const padded = Buffer.concat([
    plain.subarray(0, headBytes),
    ...Array<Buffer[]>(50).fill(chunks).flat(),
    plain.subarray(headBytes),
  ]);
  await encodeAvatar(plain);
  const before = process.resourceUsage().maxRSS;
  await expect(encodeAvatar(padded)).resolves.toEqual(await encodeAvatar(plain));
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(200 * 1024);
  // A file that ends within a chunk is refused and not read past its end.
  for (const cut of [plain.subarray(0, headBytes + 5), padded.subarray(0, headBytes + 20)])
    await expect(encodeAvatar(cut)).rejects.toMatchObject(refused);
});

test('a JPEG with very many segments of metadata is refused: each takes memory [C-98]', async () => {
  const jpeg = await canvas(64, 64).jpeg().toBuffer();
  const withSegments = (count: number) =>
    Buffer.concat([
      jpeg.subarray(0, 2),
      Buffer.alloc(4 * count, '\xff\xe1\x00\x02', 'latin1'),
      jpeg.subarray(2),
    ]);
  await expect(encodeAvatar(withSegments(900))).resolves.toBeInstanceOf(Buffer);
  await expect(encodeAvatar(withSegments(2_000_000))).rejects.toMatchObject(refused);
});

test('an animated WebP with very many frames is refused: the decoder finds each frame by starting over at the first [C-98]', async () => {
  const image = await canvas(64, 64).webp().toBuffer();
  const data = image.subarray(12);
  const side = [63, 0, 0];
  const frame = riffChunk('ANMF', Buffer.from([0, 0, 0, 0, 0, 0, ...side, ...side, 0, 0, 0, 0]), data);
  const animated = (frames: number) =>
    riffChunk(
      'RIFF',
      Buffer.from('WEBP'),
      riffChunk('VP8X', Buffer.from([2, 0, 0, 0, ...side, ...side])),
      riffChunk('ANIM', Buffer.alloc(6)),
      ...Array<Buffer>(frames).fill(frame),
    );
  await expect(encodeAvatar(animated(900))).resolves.toBeInstanceOf(Buffer);
  await expect(encodeAvatar(animated(1100))).rejects.toMatchObject(refused);
});

function riffChunk(type: string, ...parts: Buffer[]): Buffer {
  const data = Buffer.concat(parts);
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

test('a WebP is decoded alone: the code tables of a lossless one can take 600 MB [C-98]', async () => {
  const lossless = await sharp(await noise(1000, 1000))
    .webp({ lossless: true, effort: 0 })
    .toBuffer();
  const small = await canvas(32, 32).png().toBuffer();
  const order: string[] = [];
  await Promise.all([
    encodeAvatar(lossless).then(() => order.push('the WebP')),
    encodeAvatar(small).then(() => order.push('the small PNG')),
    encodeAvatar(lossless).then(() => order.push('the second WebP')),
  ]);
  expect(order).toEqual(['the WebP', 'the small PNG', 'the second WebP']);
});

test('a color profile with calculations is refused: a short list of steps takes minutes and gigabytes [C-98]', async () => {
  const steps = 10;
  const [header, tags, list, step] = [128, 28, 16 + 8 * steps, 60];
  const profile = Buffer.alloc(header + tags + list + step);
  profile.writeUInt32BE(profile.length, 0);
  profile.writeUInt32BE(0x0440_0000, 8);
  profile.write('mntrRGB XYZ ', 12, 'latin1');
  profile.write('acsp', 36, 'latin1');
  profile.writeUInt32BE(2, header);
  for (const [index, tag] of ['A2B0', 'D2B0'].entries()) {
    const at = header + 4 + 12 * index;
    profile.write(tag, at, 'latin1');
    profile.writeUInt32BE(header + tags, at + 4);
    profile.writeUInt32BE(list + step, at + 8);
  }
  const program = profile.subarray(header + tags);
  program.write('mpet', 'latin1');
  program.set([0, 3, 0, 3], 8);
  program.writeUInt32BE(steps, 12);
  // Every step is the same matrix.
  for (let at = 16; at < list; at += 8) {
    program.writeUInt32BE(list, at);
    program.writeUInt32BE(step, at + 4);
  }
  program.write('matf', list, 'latin1');
  program.set([0, 3, 0, 3], list + 8);
  for (const diagonal of [0, 4, 8]) program.writeFloatBE(1, list + 12 + 4 * diagonal);
  const plain = await canvas(64, 64).png().toBuffer();
  const profiled = (icc: Buffer) =>
    Buffer.concat([
      plain.subarray(0, 33),
      chunk('iCCP', Buffer.concat([Buffer.from('steps\0\0'), deflateSync(icc)])),
      plain.subarray(33),
    ]);
  await expect(encodeAvatar(profiled(profile))).rejects.toMatchObject(refused);
  const wide = await canvas(64, 64).withIccProfile('p3').jpeg().toBuffer();
  await expect(encodeAvatar(wide)).resolves.toBeInstanceOf(Buffer);
});

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** A small, valid PNG that decompresses to width × height pixels. */
function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc32(bytes: Buffer): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

test('a decompression bomb is refused before it is decompressed [C-93]', async () => {
  const big = await noise(4000, 3000);
  await expect(encodeAvatar(bomb(4000, 4000))).resolves.toBeInstanceOf(Buffer);
  await encodeAvatar(big);
  const before = process.memoryUsage().rss;
  for (const bytes of [bomb(16_000, 16_000), bomb(30_000, 30_000)]) {
    expect(bytes.length).toBeLessThan(200_000);
    await expect(encodeAvatar(bytes)).rejects.toMatchObject({
      ...refused,
      message: errorMessages.imageTooDetailed,
    });
  }
  // Decompressed, they would take a gigabyte. The 200 MB allow for other work in this process.
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  const order: string[] = [];
  await Promise.all([
    encodeAvatar(big).then(() => order.push('the picture')),
    encodeAvatar(bomb(30_000, 30_000)).catch(() => order.push('the bomb')),
  ]);
  expect(order).toEqual(['the bomb', 'the picture']);
});

test('twenty large concurrent pictures are all encoded, and few are in memory at a time', async () => {
  const big = await noise(4000, 3000);
  await encodeAvatar(big);
  const before = process.memoryUsage().rss;
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss - before);
  }, 5);
  const encoded = await Promise.all(Array.from({ length: 20 }, () => encodeAvatar(big)));
  clearInterval(watch);
  expect(encoded).toHaveLength(20);
  expect(peak).toBeLessThan(400 * 1024 * 1024);
});

test("pictures beyond the queue's limit are refused as busy", async () => {
  const picture = await canvas(2000, 2000).png().toBuffer();
  const uploads = await Promise.allSettled(Array.from({ length: 40 }, () => encodeAvatar(picture)));
  const busy = uploads.filter(one => one.status === 'rejected' && one.reason.code === 'BUSY');
  expect(busy).toHaveLength(6);
  expect(uploads.filter(one => one.status === 'fulfilled')).toHaveLength(34);
  await expect(encodeAvatar(picture)).resolves.toBeInstanceOf(Buffer);
});

test('many pictures from one address do not keep out those of others [C-42]', async () => {
  const picture = await canvas(1000, 1000).png().toBuffer();
  for (const bytes of [picture, await canvas(1000, 1000).webp().toBuffer()]) {
    const flood = Array.from({ length: 45 }, () => encodeAvatar(bytes, { group: '192.0.2.1' }));
    const done = Promise.allSettled(flood);
    await expect(encodeAvatar(bytes, { group: '192.0.2.2' })).resolves.toBeInstanceOf(Buffer);
    await expect(encodeAvatar(bytes, { group: 'a customer', isTrusted: true })).resolves.toBeInstanceOf(
      Buffer,
    );
    expect((await done).some(one => one.status === 'rejected')).toBe(true);
  }
});

test('two hundred damaged pictures are refused or encoded, and cause no crash', async () => {
  const originals = await Promise.all(
    [canvas(64, 48).jpeg(), canvas(64, 48).png(), canvas(64, 48).webp()].map(o => o.toBuffer()),
  );
  let state = 42;
  const random = (below: number) => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return state % below;
  };
  for (let i = 0; i < 200; i++) {
    const bytes = Buffer.from(originals[i % 3]!);
    for (let flips = 1 + random(8); flips > 0; flips--) bytes[random(bytes.length)] = random(256);
    await encodeAvatar(bytes).catch(error => expect(error).toMatchObject(refused));
  }
});

test('a sound picture that a stalled machine cannot decode in time is refused as busy, not as damaged [RC-64]', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'larkspur-images-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const picture = join(folder, 'noise.png');
  writeFileSync(picture, await noise(5000, 5000));
  const program = `
    import { readFileSync } from 'node:fs';
    import { encodeIdCard } from ${JSON.stringify(import.meta.resolve('./images.ts'))};
    const encoded = encodeIdCard(readFileSync(process.argv[1]));
    setTimeout(() => process.send('encoding'), 50);
    process.send(await encoded.then(() => 'encoded', ({ code }) => code));
    process.disconnect();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, picture], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const messages: unknown[] = [];
  child.on('message', message => messages.push(message));
  await eventually(() => messages.length > 0 || undefined);
  expect(messages, 'the picture must take longer than the first message').toEqual(['encoding']);
  child.kill('SIGSTOP');
  const stoppedAt = performance.now();
  await eventually(() => performance.now() - stoppedAt > 6_500 || undefined);
  child.kill('SIGCONT');
  await eventually(() => messages.length > 1 || undefined);
  expect(messages[1]).toBe('BUSY');
  await once(child, 'exit');
});
