/** Reads PDF files of the bank, but no others: their texts, pages and the structure that a screen reader follows. */
import { inflateSync } from 'node:zlib';

type Node = { role: string; attributes: string; children: Node[]; texts: string[] };

export type ReadPdf = {
  pages: number;
  /** The catalog and the information of the document, as they are in the file. */
  catalog: string;
  info: string;
  /** XML metadata. */
  metadata: string;
  /** The structure, from the element Document. */
  root: Node;
  /** All texts in the order in which a screen reader reads them, without page headers and footers. */
  texts: string[];
  /** The texts of every cell of every row of the tables. */
  rows: string[][];
  /** The texts of all pages, with headers and footers. */
  drawn: string[];
};

export function readPdf(file: Buffer): ReadPdf {
  const raw = file.toString('latin1');
  const objects = new Map<number, { head: string; stream: string }>();
  for (const [, id, body] of raw.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const at = body!.indexOf('\nstream\n');
    const head = at < 0 ? body! : body!.slice(0, at);
    const bytes = at < 0 ? '' : body!.slice(at + 8, body!.lastIndexOf('\nendstream'));
    const isPacked = head.includes('/FlateDecode');
    const stream = isPacked ? inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1') : bytes;
    objects.set(Number(id), { head, stream });
  }
  const headOf = (id: number | string | undefined) => objects.get(Number(id))?.head ?? '';
  const reference = (text: string, key: string) => new RegExp(`/${key} (\\d+) 0 R`).exec(text)?.[1];
  const references = (text: string) => [...text.matchAll(/(\d+) 0 R/g)].map(([, id]) => Number(id));
  const catalog = headOf(reference(raw.slice(raw.lastIndexOf('trailer')), 'Root'));
  const info = headOf(reference(raw.slice(raw.lastIndexOf('trailer')), 'Info'));

  /** For each font, by its object id: the characters that each code shows. */
  const fonts = new Map<number, string[]>();
  for (const [id, { head }] of objects) {
    if (!head.includes('/Subtype /Type0')) continue;
    const map = objects.get(Number(reference(head, 'ToUnicode')))!.stream;
    const characters = [...map.matchAll(/\[([^\]]*)\]/g)].flatMap(([, list]) =>
      [...list!.matchAll(/<([^>]*)>/g)].map(([, hex]) => fromUtf16(hex!.replaceAll(' ', ''))),
    );
    fonts.set(id, characters);
  }

  const drawn: string[] = [];
  /** The texts in each marked-content section, by page id and MCID. */
  const marked = new Map<string, string[]>();
  const pages = [...objects].filter(([, { head }]) => /\/Type \/Page\n/.test(head));
  for (const [pageId, { head }] of pages) {
    const resources = headOf(reference(head, 'Resources'));
    const named = new Map(
      [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, id]) => [name, fonts.get(Number(id))]),
    );
    let key: string | undefined;
    const form = objects.get(Number(reference(resources, 'Total')))?.stream ?? '';
    const content = objects.get(Number(reference(head, 'Contents')))!.stream.replace('/Total Do', form);
    const operators = /\/MCID (\d+)|(EMC)|\/(F\d+) [\d.]+ Tf [^<]*<([0-9a-f]*)> Tj/g;
    for (const [, mcid, end, font, hex] of content.matchAll(operators)) {
      if (mcid !== undefined) key = `${pageId} ${mcid}`;
      else if (end) key = undefined;
      else {
        const text = (hex!.match(/.{4}/g) ?? [])
          .map(code => named.get(font)![Number.parseInt(code, 16)])
          .join('');
        drawn.push(text);
        if (key) marked.set(key, [...(marked.get(key) ?? []), text]);
      }
    }
  }

  const toNode = (id: number): Node => {
    const head = headOf(id);
    const kids = /\/K \[([^\]]*)\]/.exec(head)?.[1] ?? '';
    const page = reference(head, 'Pg');
    const own = kids.replace(/\d+ 0 R/g, '').match(/\d+/g) ?? [];
    return {
      role: /\/S \/(\w+)/.exec(head)![1]!,
      attributes: head,
      children: references(kids).map(toNode),
      texts: own.flatMap(mcid => marked.get(`${page} ${mcid}`) ?? []),
    };
  };
  const structure = headOf(reference(catalog, 'StructTreeRoot'));
  const root = toNode(references(/\/K \[([^\]]*)\]/.exec(structure)![1]!)[0]!);
  const inOrder = (node: Node): string[] => [...node.texts, ...node.children.flatMap(inOrder)];
  const find = (node: Node, role: string): Node[] =>
    node.role === role ? [node] : node.children.flatMap(child => find(child, role));
  return {
    pages: pages.length,
    catalog,
    info,
    metadata: objects.get(Number(reference(catalog, 'Metadata')))?.stream ?? '',
    root,
    texts: inOrder(root),
    rows: find(root, 'TR').map(row => row.children.map(cell => cell.texts.join(' '))),
    drawn,
  };
}

function fromUtf16(hex: string): string {
  const units = (hex.match(/.{4}/g) ?? []).map(unit => Number.parseInt(unit, 16));
  return String.fromCharCode(...units);
}
