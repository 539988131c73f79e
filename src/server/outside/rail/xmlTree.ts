/**
 * Reads an XML message into a tree. Refuses a document type declaration, and with it every entity that the file itself defines.
 * Also refuses a file with more parts than a message needs, because each part uses many times its size in memory.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { SaxesParser } from 'saxes';
import { RailFileError } from './rail.ts';

export type XmlElement = {
  /** Without the prefix. */
  name: string;
  namespace: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  text: string;
};

const maxDepth = 40;
/** The most elements and attributes of a file. A message of 10 MB has fewer. */
const mostParts = 500_000;
/** The most attributes of one element. The parser checks them all at once: half a million would block all else for seconds. */
const maxAttributes = 100;
const chunkCharacters = 256 * 1024;

/** The root element. Throws `RailFileError` if the text is not well-formed or is refused. Yields to other work meanwhile. */
export async function readXml(text: string, maxParts = mostParts): Promise<XmlElement> {
  const parser = new SaxesParser({ xmlns: true });
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  parser.on('error', error => {
    throw new RailFileError(
      `The XML is not well-formed: ${error.message.slice(0, 200).replace(/\.+$/, '')}.`,
    );
  });
  parser.on('doctype', () => {
    throw new RailFileError('The XML has a document type declaration.');
  });
  let parts = 0;
  const countPart = () => {
    if (++parts > maxParts)
      throw new RailFileError(`The XML has more than ${maxParts} elements and attributes.`);
  };
  let attributesOfElement = 0;
  parser.on('attribute', () => {
    countPart();
    if (++attributesOfElement > maxAttributes)
      throw new RailFileError(`The XML has an element with more than ${maxAttributes} attributes.`);
  });
  parser.on('opentagstart', () => {
    countPart();
    attributesOfElement = 0;
  });
  parser.on('opentag', ({ local, uri, attributes }) => {
    if (open.length >= maxDepth) throw new RailFileError(`The XML is more than ${maxDepth} levels deep.`);
    const element: XmlElement = {
      name: local,
      namespace: uri,
      attributes: Object.fromEntries(Object.values(attributes).map(({ name, value }) => [name, value])),
      children: [],
      text: '',
    };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  const addText = (more: string) => {
    const element = open.at(-1);
    if (element) element.text += more;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    open.pop();
  });
  for (let at = 0; at < text.length; at += chunkCharacters) {
    if (at > 0) await nextTurn();
    parser.write(text.slice(at, at + chunkCharacters));
  }
  parser.close();
  if (!root) throw new RailFileError('The XML is empty.');
  return root;
}

/** The first element at a path such as `GrpHdr/MsgId`. */
export function find(element: XmlElement, path: string): XmlElement | undefined {
  let found: XmlElement | undefined = element;
  for (const name of path.split('/')) found = found?.children.find(child => child.name === name);
  return found;
}

/** The text at a path, trimmed; empty if there is none. */
export const textAt = (element: XmlElement, path: string): string => find(element, path)?.text.trim() ?? '';

export const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter(child => child.name === name);

/**
 * Whether programs could read different values from a message: an element occurs twice, except those named in `lists`, or an
 * `Id` has a choice of two values.
 */
export const isAmbiguous = ({ name, children }: XmlElement, lists: ReadonlySet<string>): boolean => {
  const single = children.filter(child => !lists.has(child.name));
  return (
    new Set(single.map(child => child.name)).size < single.length ||
    (name === 'Id' && children.length > 1) ||
    children.some(child => isAmbiguous(child, lists))
  );
};
