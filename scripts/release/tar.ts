/**
 * Writes a tar archive (POSIX ustar) that depends only on the files' names and contents and on one time. The entries are
 * sorted, and all have that time, the same mode and no owner. The tar programs of Linux and macOS have no common options for
 * that.
 */
export type Entry = { name: string; content: Uint8Array };

const blockSize = 512;

export function tar(entries: readonly Entry[], seconds: number): Buffer {
  const sorted = [...entries].sort((a, b) => (a.name < b.name ? -1 : 1));
  const blocks = sorted.flatMap(({ name, content }) => [
    header(name, content.length, seconds),
    content,
    Buffer.alloc(-content.length & (blockSize - 1)),
  ]);
  return Buffer.concat([...blocks, Buffer.alloc(2 * blockSize)]);
}

function header(path: string, size: number, seconds: number): Buffer {
  const block = Buffer.alloc(blockSize);
  const [name, prefix] = split(path);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  block.write(name, 0);
  block.write(octal(0o644, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(size, 11), 124);
  block.write(octal(seconds, 11), 136);
  // The checksum is computed as if its own field contained spaces.
  block.write('        ', 148);
  block.write('0', 156);
  block.write('ustar\u000000', 257);
  block.write(prefix, 345);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/** Splits a path into at most 100 bytes of name and 155 bytes of prefix. */
function split(path: string): [name: string, prefix: string] {
  if (Buffer.byteLength(path) <= 100) return [path, ''];
  const at = path.indexOf('/', Buffer.byteLength(path) - 101);
  const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
  if (at < 0 || prefix.length > 155) throw new Error(`This path is too long for a release: ${path}`);
  return [name, prefix];
}
