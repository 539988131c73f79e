/** Reads a ZIP file by its central directory, as unpacking programs do. */
import { crc32, inflateRawSync } from 'node:zlib';

/** Returns the files by name. Throws if the checksum of a file is wrong. */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const count = zip.readUInt16LE(end + 10);
  for (let at = zip.readUInt32LE(end + 16), n = 0; n < count; n++) {
    const [method, crc, size] = [
      zip.readUInt16LE(at + 10),
      zip.readUInt32LE(at + 16),
      zip.readUInt32LE(at + 20),
    ];
    const nameEnd = at + 46 + zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, nameEnd);
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const packed = zip.subarray(start, start + size);
    const bytes = method === 8 ? inflateRawSync(packed) : Buffer.from(packed);
    if (crc32(bytes) !== crc) throw new Error(`${name} is damaged`);
    files.set(name, bytes);
    at = nameEnd + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}
