/**
 * Re-encodes uploaded pictures: decoded, rotated upright, scaled down and encoded again, so that only pixels are kept. Only
 * three decoders are enabled, and few pictures are decoded at once.
 */
import sharp, { type Sharp } from 'sharp';
import { image } from '#contract/constants.ts';
import { Refusal } from '#contract/errors.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import { limitConcurrency } from '../base/concurrency.ts';

const avatarSidePixels = 512;
const idCardSidePixels = 2000;
const quality = 82;
const decodeTimeoutSeconds = 5;
/** Scaling buffers whole rows: those of a wider picture would take a gigabyte. A taller one may be rotated. */
const maxSidePixels = 16_384;
/** The scans of a progressive JPEG. The decoder reads all of them before it checks its timeout; cameras write about ten. */
const maxScans = 100;
const lackOfResources =
  /timeout: \d+%|out of memory|cannot allocate|unable to \w+ thread|too many open files/i;
/** A decoded picture can take 100 MB, so only two are decoded at a time and the rest waits in a queue. */
const limited = limitConcurrency({ maxRunning: 2, maxWaiting: 32, waitTime: 5 });

// libvips reads about thirty formats, several with a history of vulnerabilities, and SVG with scripts and references.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] });
sharp.concurrency(1);
sharp.cache(false);

/** A profile image as WebP: 512 × 512, cropped to the center. Throws `UNSUPPORTED_TYPE`, or `BUSY` if the queue is full. */
export function encodeAvatar(bytes: Uint8Array): Promise<Buffer> {
  return limited(() =>
    encode(bytes, picture => picture.resize(avatarSidePixels, avatarSidePixels, { fit: 'cover' })),
  );
}

/** An ID document as WebP: uncropped, at most 2000 pixels per side. Throws `UNSUPPORTED_TYPE`, or `BUSY` if the queue is full. */
export function encodeIdCard(bytes: Uint8Array): Promise<Buffer> {
  const size = { fit: 'inside', withoutEnlargement: true } as const;
  return limited(() => encode(bytes, picture => picture.resize(idCardSidePixels, idCardSidePixels, size)));
}

async function encode(bytes: Uint8Array, shape: (picture: Sharp) => Sharp): Promise<Buffer> {
  const format = sniff(bytes);
  if (!format) throw new Refusal('UNSUPPORTED_TYPE');
  if (format === 'jpeg' && hasTooManyScans(bytes)) throw refuse(errorMessages.imageBroken);
  try {
    const picture = sharp(bytes, {
      limitInputPixels: image.maxPixels,
      failOn: 'warning',
      pages: 1,
      sequentialRead: true,
    });
    const found = await picture.metadata();
    if (found.format !== format || Math.max(found.width, found.height) > maxSidePixels)
      throw refuse(errorMessages.imageBroken);
    if (Math.min(found.width, found.height) < image.minSidePixels) throw refuse(errorMessages.imageTooSmall);
    // sharp drops metadata by default; the rotation it specifies is applied first.
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

/** The format by the first twelve bytes; file name and declared type are ignored. */
function sniff(bytes: Uint8Array): 'jpeg' | 'png' | 'webp' | undefined {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'webp';
  return undefined;
}

/** Whether a JPEG has more than `maxScans`. Finds its markers as the decoder does. */
function hasTooManyScans(bytes: Uint8Array): boolean {
  const [startOfScan, endOfImage] = [0xda, 0xd9];
  let scans = 0;
  for (let at = bytes.indexOf(0xff, 2); at !== -1; at = bytes.indexOf(0xff, at)) {
    const marker = bytes[++at] ?? endOfImage;
    // An 0xff in the data of a scan, or a marker without a length.
    if (marker <= 0x01 || marker === 0xff || (marker >= 0xd0 && marker < endOfImage)) continue;
    if (marker === endOfImage) return false;
    if (marker === startOfScan && ++scans > maxScans) return true;
    at += 1 + (((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0));
  }
  return false;
}
