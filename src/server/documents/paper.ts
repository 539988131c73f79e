/**
 * A PDF in the bank's fonts: text, lines and pages, tagged for screen readers (PDF/UA). The same input makes the same bytes:
 * the creation date comes from the caller, and nothing depends on the clock. The library pdfkit writes the file, but
 * this module places the text: pdfkit is too slow for a statement with hundreds of thousands of texts.
 */
import { readFileSync } from 'node:fs';
import PDFDocument from 'pdfkit';
import { bank } from '#contract/constants.ts';
import * as recordsMessages from '#contract/messages/records.ts';

/** US Letter, in points. */
export const page = { width: 612, height: 792, left: 48, right: 564, top: 48, bottom: 738 } as const;

export const colors = { ink: '#17162b', quiet: '#4a4862', rule: '#c9c7f2', brand: '#3f3ba5' } as const;

/** The font files, read once per thread. fonts/README.md says how they were made. */
const files = {
  regular: readFileSync(new URL('./fonts/figtree-400.ttf', import.meta.url)),
  bold: readFileSync(new URL('./fonts/figtree-600.ttf', import.meta.url)),
};
export type Weight = keyof typeof files;

/** The petals of the bank's mark, as in `src/web/index.html`. */
const petals =
  'm22.19 18.78-3.54-6.94c-2.54-5-6.39-4.22-9.51.3-1.82 5.17-.19 8.74 5.35 7.86Zm1.42-.72 5.51-5.52c3.97-3.96 2.04-7.38-3.22-8.94-5.48-.14-8.37 2.52-5.82 7.51Zm1.13 1.13 6.95 3.53c4.99 2.55 7.65-.34 7.51-5.82-1.56-5.26-4.98-7.19-8.94-3.22Zm-.72 1.42-1.22 7.7c-.88 5.54 2.69 7.17 7.86 5.35 4.52-3.12 5.3-6.97.3-9.51Zm-1.58-.25-5.04.8c-4.15.65-10.19 9.62-18.4 14.15 14.64 1.2 21.99-5.76 22.64-9.91Z';

/** Shown for a character that the font lacks. Screen readers and copied text still get the original. */
const missingCharacter = '□';

export type TextStyle = {
  size?: number;
  weight?: Weight;
  color?: string;
  /** `x` is the left edge of the text, or its right edge. */
  align?: 'left' | 'right';
};

/** The types of structure elements, as PDF names them (ISO 32000-1, 14.8.4). */
type Role = 'H1' | 'H2' | 'P' | 'Table' | 'THead' | 'TBody' | 'TR' | 'TH' | 'TD' | 'Figure';
export type Tag = PDFKit.PDFStructureElement;

/** The parts of pdfkit that its types leave out. */
type Internals = {
  addContent(content: string): void;
  _font: {
    id: string;
    encode(text: string): [hex: string[], positions: { advanceWidth: number }[]];
    ref(): unknown;
  };
  ref(data: object): { data: object; end(content?: string): void };
  page: { fonts: Record<string, unknown>; xobjects: Record<string, unknown>; structParentTreeKey: number };
  getStructParentTree(): { get(key: number): object; add(key: number, value: unknown): void };
};

type Face = {
  id: string;
  ref(): unknown;
  /** The code of a character, and its width in thousandths of the size. */
  encode(character: string): { hex: string; width: number };
};

/** `actual`: the text that is read instead of the one that is shown. `scope`: whether a table head is for a row or a column. */
type TagOptions = {
  title?: string;
  alt?: string;
  actual?: string;
  scope?: 'Row' | 'Column';
  bbox?: [number, number, number, number];
  placement?: 'Block';
};

export type Paper = ReturnType<typeof openPaper>;

/** The small line at the foot of every page. */
const footer = [bank.name, bank.address, bank.phone, bank.supportEmail].join('  ·  ');

/** Opens a document; its bytes arrive at `onBytes`. */
export function openPaper(
  { title, created }: { title: string; created: Date },
  onBytes: (bytes: Uint8Array) => void,
) {
  const document = new PDFDocument({
    size: 'LETTER',
    margin: 0,
    pdfVersion: '1.7',
    // The types do not know PDF/UA yet.
    subset: 'PDF/UA' as never,
    tagged: true,
    displayTitle: true,
    lang: bank.locale,
    autoFirstPage: false,
    font: null as never,
    info: {
      Title: title,
      Author: bank.name,
      Creator: bank.name,
      Producer: bank.name,
      CreationDate: created,
      ModDate: created,
    },
  });
  const internals = document as unknown as Internals;
  const ended = new Promise<void>(resolve => document.once('end', resolve));
  document.on('data', onBytes);
  const faces = { regular: openFace('regular'), bold: openFace('bold') };
  const root = document.struct('Document');
  document.addStructure(root);
  let pages = 0;
  // The number of pages, as one PDF object that every page shows. It is written at the end, when the number is known.
  const total = internals.ref({
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, -4, 60, 12],
    Resources: { Font: { [faces.regular.id]: faces.regular.ref() } },
  });

  function openFace(weight: Weight): Face {
    document.font(files[weight] as never);
    const font = internals._font;
    const codes = new Map<string, { hex: string; width: number }>();
    return {
      id: font.id,
      ref: () => font.ref(),
      encode(character) {
        const known = codes.get(character);
        if (known) return known;
        const [[hex], [position]] = font.encode(character) as [[string], [{ advanceWidth: number }]];
        const code = { hex, width: position.advanceWidth };
        codes.set(character, code);
        return code;
      },
    };
  }

  const rgb = (color: string) =>
    [1, 3, 5].map(at => (Number.parseInt(color.slice(at, at + 2), 16) / 255).toFixed(3)).join(' ');
  const number = (value: number) => String(Math.round(value * 100) / 100);

  function measure(text: string, { size = 9, weight = 'regular' }: TextStyle = {}): number {
    let width = 0;
    for (const character of text) width += faces[weight].encode(character).width;
    return (width * size) / 1000;
  }

  /** The PDF operators that show a text at the current position. */
  function show(text: string, { size = 9, weight = 'regular', color = colors.ink }: TextStyle): string {
    let hex = '';
    for (const character of text) hex += faces[weight].encode(character).hex;
    return `/${faces[weight].id} ${size} Tf ${rgb(color)} rg <${hex}> Tj`;
  }

  /**
   * Places a text with its baseline at `y`. Call it only inside `tag` or `decorate`. The font must have all characters of the
   * text (`toPrintable`).
   */
  function place(text: string, x: number, y: number, style: TextStyle = {}): void {
    const face = faces[style.weight ?? 'regular'];
    internals.page.fonts[face.id] ??= face.ref();
    const left = style.align === 'right' ? x - measure(text, style) : x;
    internals.addContent(`BT 1 0 0 -1 ${number(left)} ${number(y)} Tm ${show(text, style)} ET`);
  }

  /** Writes which element each text of the page belongs to. pdfkit would keep this in memory for every page until the end. */
  function writeTagsOfPage(): void {
    if (pages === 0) return;
    const key = internals.page.structParentTreeKey;
    const tree = internals.getStructParentTree();
    const tags = internals.ref(tree.get(key));
    tags.end();
    // The structure tree needs only the object's number. The data refers to every element of the page and would keep all of
    // them in memory.
    tags.data = {};
    tree.add(key, tags);
  }

  const paper = {
    measure,
    place,
    /** Adds an element to the structure: below `parent`, or at the top. `content` draws it, or adds elements to it. */
    tag(role: Role, content: (() => void) | undefined, options: TagOptions = {}, parent = root): Tag {
      const element = document.struct(role as never, options as never);
      parent.add(element);
      if (content) {
        element.add(content);
        element.end();
      }
      return element;
    },
    /** Draws what a screen reader skips. */
    decorate(content: () => void, type: 'Layout' | 'Pagination' = 'Layout'): void {
      document.markContent('Artifact', { type });
      content();
      document.endMarkedContent();
    },
    rule(
      y: number,
      {
        from = page.left as number,
        to = page.right as number,
        color = colors.rule as string,
        width = 0.5,
      } = {},
    ): void {
      paper.decorate(() => {
        document.moveTo(from, y).lineTo(to, y).lineWidth(width).strokeColor(color).stroke();
      });
    },
    /** The double rule under a final figure. */
    doubleRule(y: number, from: number, to = page.right as number): void {
      for (const at of [y, y + 2]) paper.rule(at, { from, to, color: colors.ink, width: 0.7 });
    },
    /** The bank's mark and name at the head of the first page. */
    letterhead(): void {
      const [x, y, size] = [page.left - 4, 42, 30];
      const draw = () => {
        document
          .save()
          .translate(x, y)
          .scale(size / 40)
          .path(petals)
          .fill(colors.brand)
          .restore();
      };
      paper.tag('Figure', draw, { alt: bank.name, bbox: [x, y, x + size, y + size], placement: 'Block' });
      paper.tag('P', () => place(bank.name, page.left + 32, 63, { size: 14, weight: 'bold' }));
    },
    /** Starts a page, with its footer. */
    addPage(): void {
      writeTagsOfPage();
      document.addPage();
      pages++;
      const small = { size: 7.5, color: colors.quiet };
      paper.rule(page.bottom + 12);
      paper.decorate(() => {
        const counted = `${recordsMessages.pageOf.replace('{page}', String(pages)).replace('{pages}', '')}`;
        place(counted, page.left, page.bottom + 26, small);
        place(footer, page.right, page.bottom + 26, { ...small, align: 'right' });
        internals.page.xobjects.Total = total;
        const x = page.left + measure(counted, small);
        internals.addContent(`q 1 0 0 -1 ${number(x)} ${number(page.bottom + 26)} cm /Total Do Q`);
      }, 'Pagination');
    },
    /** Ends the document; resolves when `onBytes` has received all of it. */
    async end(): Promise<void> {
      total.end(`BT ${show(String(pages), { size: 7.5, color: colors.quiet })} ET`);
      root.end();
      document.end();
      await ended;
    },
  };
  return paper;
}

/** The characters of the font. */
const known = (() => {
  const document = new PDFDocument({ font: null as never, autoFirstPage: false });
  document.font(files.regular as never);
  const { font } = (document as unknown as { _font: { font: { characterSet: number[] } } })._font;
  return new Set(font.characterSet.map(code => String.fromCodePoint(code)));
})();

const graphemes = new Intl.Segmenter(bank.locale, { granularity: 'grapheme' });

/**
 * Makes a text printable: drops accents that the font lacks, and shows a box for every other missing character. Line breaks
 * become spaces, and control characters are removed.
 */
export function toPrintable(text: string): string {
  const line = text.normalize('NFC').replace(/\s+/g, ' ').trim();
  if (isKnown(line)) return line;
  return Array.from(graphemes.segment(line), ({ segment }) => toKnown(segment)).join('');
}

/** Whether `toPrintable` keeps every character of a text. A box that the text itself contains is kept. */
export const isPrintable = (text: string): boolean =>
  !toPrintable(text.replaceAll(missingCharacter, '')).includes(missingCharacter);

const isKnown = (text: string) => Array.from(text).every(character => known.has(character));

function toKnown(grapheme: string): string {
  // Without zero-width spaces, joiners and direction marks.
  const visible = grapheme.replace(/\p{Cf}|\p{Cc}|\p{Variation_Selector}/gu, '');
  if (isKnown(visible)) return visible;
  const [base = '', ...marks] = Array.from(visible.normalize('NFKD'));
  let best = base;
  for (const mark of marks) {
    const composed = (best + mark).normalize('NFC');
    if (known.has(composed)) best = composed;
  }
  return known.has(best) ? best : missingCharacter;
}

/** Breaks a text into lines of at most `width`. A word that is wider is broken, too. */
export function wrap(
  { measure }: Pick<Paper, 'measure'>,
  text: string,
  width: number,
  style: TextStyle,
): string[] {
  if (measure(text, style) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (measure(longer, style) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = '';
    for (const character of word) {
      if (line !== '' && measure(line + character, style) > width) {
        lines.push(line);
        line = '';
      }
      line += character;
    }
  }
  return [...lines, line];
}
