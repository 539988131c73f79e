/**
 * Decodes uploaded pictures, rotates them upright, scales them and encodes them again, so that only pixels are kept. Only three
 * decoders are enabled, and few pictures are decoded at once.
 */
import sharp, { type Sharp } from 'sharp';
import { image } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { type CallSource, limitConcurrency } from '../base/concurrency.ts';

const avatarSidePixels = 512;
const idCardSidePixels = 2000;
const quality = 82;
const decodeTimeoutSeconds = 5;
/**
 * Scaling keeps whole rows in memory, and those of a wider picture would take a gigabyte. The limit also applies to the height,
 * because a picture may be rotated.
 */
const maxSidePixels = 16_384;
/**
 * The most scans of a progressive JPEG. The decoder reads all of them before it checks its timeout, and 100 take more than a
 * second. Cameras write about ten; a JPEG with four colors has 18.
 */
const maxScans = 32;
/** The most segments of a JPEG. The decoder keeps metadata in memory, where an empty segment takes forty times its size. */
const maxSegments = 1000;
/**
 * The most frames of an animated WebP. Only the first frame is used, but the decoder finds each by starting over at the first.
 */
const maxFrames = 1000;
/** The types of a PNG's chunks with texts, as numbers. */
const textChunks = new Set(['tEXt', 'zTXt', 'iTXt'].map(type => Buffer.from(type).readUInt32BE()));
const lackOfResources =
  /timeout: \d+%|out of memory|cannot allocate|unable to \w+ thread|too many open files/i;
/** A decoded picture can take 300 MB, so only two are decoded at a time and the rest waits in a queue. */
const limited = limitConcurrency({ maxRunning: 2, maxWaiting: 32, waitTime: 5 });
const limitedWebps = limitConcurrency({ maxRunning: 1, maxWaiting: 32, waitTime: 5 });

// libvips reads about thirty formats, several with a history of vulnerabilities, and SVG with scripts and references.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] });
sharp.concurrency(1);
sharp.cache(false);

/** A profile image as WebP: 512 × 512, cropped to the center. Throws as `encodeIdCard` does. */
export function encodeAvatar(bytes: Uint8Array, source?: CallSource): Promise<Buffer> {
  return encode(bytes, source, picture =>
    picture.resize(avatarSidePixels, avatarSidePixels, { fit: 'cover' }),
  );
}

/**
 * An ID document as WebP: uncropped, at most 2000 pixels per side. Throws `UNSUPPORTED_TYPE` if the picture has another format,
 * is damaged, too small or too large, or would cost too much to decode. Throws `BUSY` if the queue is full or the machine lacks
 * time, memory or threads to decode it.
 */
export function encodeIdCard(bytes: Uint8Array, source?: CallSource): Promise<Buffer> {
  const size = { fit: 'inside', withoutEnlargement: true } as const;
  return encode(bytes, source, picture => picture.resize(idCardSidePixels, idCardSidePixels, size));
}

async function encode(
  bytes: Uint8Array,
  source: CallSource | undefined,
  shape: (picture: Sharp) => Sharp,
): Promise<Buffer> {
  const format = sniff(bytes);
  if (!format) throw new Refusal('UNSUPPORTED_TYPE');
  if (format === 'jpeg' ? hasTooManyParts(bytes) : format === 'webp' && hasTooManyFrames(bytes))
    throw refuse(errorMessages.imageBroken);
  const work = () => decode(bytes, format, shape);
  // The code tables of a lossless WebP of 1 megapixel can take 600 MB, so a WebP takes both places of `limited`.
  const oneSlot = () => limited(work, source);
  return await (format === 'webp' ? limitedWebps(() => limited(oneSlot, source), source) : oneSlot());
}

async function decode(bytes: Uint8Array, format: Format, shape: (picture: Sharp) => Sharp): Promise<Buffer> {
  try {
    const picture = sharp(format === 'png' ? withoutTexts(bytes) : bytes, {
      limitInputPixels: image.maxPixels,
      failOn: 'warning',
      pages: 1,
      sequentialRead: true,
    });
    const found = await picture.metadata();
    if (found.format !== format || Math.max(found.width, found.height) > maxSidePixels)
      throw refuse(errorMessages.imageBroken);
    // Refuses color profiles with calculations (ICC.1 multiProcessElements): with one, a PNG of 500 bytes can take minutes and
    // gigabytes.
    if (found.icc?.includes('mpet')) throw refuse(errorMessages.imageBroken);
    if (Math.min(found.width, found.height) < image.minSidePixels) throw refuse(errorMessages.imageTooSmall);
    // sharp drops metadata by default; the rotation that the metadata specifies is applied first.
    const encoded = shape(picture.autoOrient())
      .toColourspace('srgb')
      .webp({ quality })
      .timeout({ seconds: decodeTimeoutSeconds });
    return await encoded.toBuffer();
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // Out of time, memory or threads: the picture may be sound, and the machine is busy.
    if (lackOfResources.test(String(error))) throw new Refusal('BUSY', { waitTime: 5 });
    // Any other decoder error is the picture's fault: the decoder reads nothing else.
    throw refuse(
      /pixel limit/.test(String(error)) ? errorMessages.imageTooDetailed : errorMessages.imageBroken,
    );
  }
}

function refuse(message: string): Refusal {
  return new Refusal('UNSUPPORTED_TYPE', { message });
}

type Format = 'jpeg' | 'png' | 'webp';

/** The format by the first twelve bytes; file name and declared type are ignored. */
function sniff(bytes: Uint8Array): Format | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp';
  return undefined;
}

/** A PNG without its text chunks (tEXt, zTXt, iTXt): each can be 1 kB in the file and 8 MB in memory, and there can be many. */
function withoutTexts(bytes: Uint8Array): Uint8Array {
  const png = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const kept = Buffer.alloc(png.length);
  const [signatureBytes, frameBytes] = [8, 12];
  let size = png.copy(kept, 0, 0, signatureBytes);
  for (let at = signatureBytes, end = 0; at < png.length; at = end) {
    const isWhole = at + frameBytes <= png.length;
    end = isWhole ? at + frameBytes + png.readUInt32BE(at) : png.length;
    if (!isWhole || !textChunks.has(png.readUInt32BE(at + 4))) size += png.copy(kept, size, at, end);
  }
  return kept.subarray(0, size);
}

/** Whether a JPEG has more than `maxScans` or `maxSegments`. Finds its markers as the decoder does. */
function hasTooManyParts(bytes: Uint8Array): boolean {
  const [startOfScan, endOfImage] = [0xda, 0xd9];
  let [scans, segments] = [0, 0];
  for (let at = bytes.indexOf(0xff, 2); at !== -1; at = bytes.indexOf(0xff, at)) {
    const marker = bytes[++at] ?? endOfImage;
    // A byte 0xff in the data of a scan, or a marker without a length.
    if (marker <= 0x01 || marker === 0xff || (marker >= 0xd0 && marker < endOfImage)) continue;
    if (marker === endOfImage) return false;
    if (++segments > maxSegments || (marker === startOfScan && ++scans > maxScans)) return true;
    at += 1 + (((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0));
  }
  return false;
}

/**
 * Whether a WebP may have more than `maxFrames`. Counts the frame tag anywhere, because the decoder also finds nested frames.
 */
function hasTooManyFrames(bytes: Uint8Array): boolean {
  const webp = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let frames = 0;
  for (let at = webp.indexOf('ANMF'); at !== -1; at = webp.indexOf('ANMF', at + 4))
    if (++frames > maxFrames) return true;
  return false;
}
