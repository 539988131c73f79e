/**
 * Reads the style sheets of the web and the classes its components wear, as far as the rules of `styles.test.ts` ask: by the
 * shape of the text, not by a parser, for the house writes both in one shape.
 */
import { basename, dirname, join, normalize } from 'node:path';

export type File = { path: string; text: string };

/** One selector with what is declared for it. */
export type Style = {
  path: string;
  /** What the classes of its sheet begin with. */
  prefix: string;
  selector: string;
  /** Every class in it, and those of the element it dresses. */
  classes: string[];
  subject: string[];
  pseudoElement: string;
  weight: number;
  layer: string;
  declared: Map<string, string>;
};

export type Sheet = { path: string; prefix: string; isGlobal: boolean; styles: Style[]; keyframes: string[] };

/** A class that a source gives to an element. */
export type Worn = {
  name: string;
  /** Only its beginning is known: `Button--${kind}`. */
  isOpen: boolean;
};

/** One place where classes are given: to an element, or to a component that has some of its own. */
type Place = {
  /** Those of each literal: two literals may be alternatives. */
  literals: Worn[][];
  component: string;
  /** It passes on what the component itself was given. */
  passesOn: boolean;
};

export type Source = {
  path: string;
  places: Place[];
  /** Words elsewhere that look like a part's class. */
  guesses: Worn[];
};

/** Sheets whose classes any component may wear. */
export const globalSheets = ['src/web/app/app.css', 'src/web/ui/tokens.css', 'src/web/ui/shared.css'];

export const isOwn = (name: string, prefix: string) => name === prefix || name.startsWith(`${prefix}-`);
export const fits = ({ name, isOpen }: Worn, other: string) =>
  isOpen ? other.startsWith(name) : other === name;

const classesIn = (selector: string) =>
  [...selector.matchAll(/\.(-?[A-Za-z_][\w-]*)/g)].map(([, name]) => name!);

/** Splits at commas that no bracket holds. */
function splitList(list: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const sign of list) {
    if (sign === '(') depth++;
    if (sign === ')') depth--;
    if (sign === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts.map(part => part.trim());
}

/** What stands between the bracket at `start` and its fellow. */
function insideBrackets(text: string, start: number): string {
  let depth = 0;
  for (let place = start; place < text.length; place++) {
    if ('({'.includes(text[place]!)) depth++;
    else if (')}'.includes(text[place]!) && --depth === 0) return text.slice(start + 1, place);
  }
  return text.slice(start + 1);
}

/** A selector's specificity as one number: a thousand for a class, one for an element. */
function weigh(selector: string): number {
  let weight = 0;
  let rest = selector;
  for (
    let found = rest.search(/:(is|not|has|where)\(/);
    found >= 0;
    found = rest.search(/:(is|not|has|where)\(/)
  ) {
    const bracket = rest.indexOf('(', found);
    const inside = insideBrackets(rest, bracket);
    if (!rest.startsWith(':where', found)) weight += Math.max(...splitList(inside).map(weigh));
    rest = rest.slice(0, found) + rest.slice(bracket + inside.length + 2);
  }
  const count = (kind: RegExp) => {
    const matches = rest.match(kind)?.length ?? 0;
    rest = rest.replace(kind, ' ');
    return matches;
  };
  const elements = count(/::[\w-]+/g);
  weight += 1000 * count(/\.[\w-]+|\[[^\]]*\]|:[\w-]+(\([^)]*\))?/g) + 1_000_000 * count(/#[\w-]+/g);
  return weight + elements + count(/[a-z][\w-]*/gi);
}

export function readSheet({ path, text }: File): Sheet {
  const name = basename(path, '.css');
  const prefix = name.charAt(0).toUpperCase() + name.slice(1);
  const sheet: Sheet = { path, prefix, isGlobal: globalSheets.includes(path), styles: [], keyframes: [] };
  const open: string[] = [];
  let current: Style[] = [];
  const plain = text.replaceAll(/\/\*[\s\S]*?\*\/|"[^"]*"/g, '');
  for (const [, before, sign] of plain.matchAll(/([^{};]*)([{};])/g)) {
    const part = before!.trim();
    const [, property, value] = /^([\w-]+)\s*:\s*([\s\S]*)/.exec(part) ?? [];
    if (sign !== '{') {
      if (property) for (const style of current) style.declared.set(property, value!);
      if (sign === '}') {
        open.pop();
        current = [];
      }
      continue;
    }
    open.push(part);
    if (part.startsWith('@keyframes ')) sheet.keyframes.push(part.slice('@keyframes '.length));
    if (part.startsWith('@') || open.some(one => one.startsWith('@keyframes '))) continue;
    const layer = open.find(one => /^@(layer|media print$)/.test(one)) ?? '';
    current = splitList(part).map(selector => {
      const subject = selector.split(/[\s>+~]+(?![^(]*\))/).at(-1)!;
      return {
        ...{ path, prefix, selector, layer, declared: new Map() },
        classes: classesIn(selector),
        subject: classesIn(subject.replaceAll(/:(has|not)\([^)]*\)/g, '')),
        pseudoElement: /::[\w-]+/.exec(subject)?.[0] ?? '',
        weight: weigh(selector),
      };
    });
    sheet.styles.push(...current);
  }
  return sheet;
}

/** The classes of each literal of an expression; what is only compared is none. */
function wornIn(expression: string): Worn[][] {
  const literal = /'([^'\n]*)'|"([^"\n]*)"|`([^`]*)`/g;
  return [...expression.replaceAll(/[!=]==\s*'[^']*'/g, '').matchAll(literal)].map(
    ([, one, other, template]) =>
      (one ?? other ?? template ?? '')
        .split(/\s+(?![^{]*\})/)
        .map(word => word.split('${'))
        .filter(([name]) => name)
        .map(([name, rest]) => ({ name: name!, isOpen: rest !== undefined })),
  );
}

/** The tag whose attribute stands at `place`. */
function tagAround(text: string, place: number): string {
  let depth = 0;
  for (let at = place - 1; at >= 0; at--) {
    if ('})'.includes(text[at]!)) depth++;
    else if ('{('.includes(text[at]!)) depth--;
    else if (text[at] === '<' && depth === 0) return /^[\w.]*/.exec(text.slice(at + 1))![0];
    if (depth < 0) break;
  }
  return '';
}

export function readSource({ path, text }: File): Source {
  const places: Place[] = [];
  for (const { 0: start, index } of text.matchAll(
    /\bclassName=(?=["{])|\bclassNames(?=\()|\b\w+Class: (?=['"])/g,
  )) {
    const at = index + start.length;
    const expression = '({'.includes(text[at]!)
      ? insideBrackets(text, at)
      : text.slice(at, text.indexOf(text[at]!, at + 1) + 1);
    const tag = start === 'className=' ? tagAround(text, index) : '';
    places.push({
      literals: wornIn(expression),
      component: /^[A-Z]\w*$/.test(tag) ? tag : '',
      passesOn: /\bclassName\b/.test(expression),
    });
  }
  // Handed on with other fields: <Field {...{ label, className }}>
  for (const [, component] of text.matchAll(/<([A-Z]\w*) \{\.\.\.\{[^}]*\bclassName\b/g))
    places.push({ literals: [], component: component!, passesOn: true });
  const guesses = text.matchAll(/['"`\s]([A-Z]\w+--?(?:[a-z][\w-]*)?)(?=['"`\s]|(\$\{))/g);
  return {
    path,
    places,
    guesses: [...guesses].map(([, name, more]) => ({ name: name!, isOpen: more !== undefined })),
  };
}

/** Every class a source gives. */
export const wornBy = ({ places }: Source) => places.flatMap(({ literals }) => literals.flat());

/** Which files are loaded with a file, and which files load it. */
export class Loading {
  readonly #imports: Map<string, string[]>;
  readonly #loaded = new Map<string, Set<string>>();

  constructor(files: readonly File[]) {
    const paths = new Set(files.map(({ path }) => path));
    this.#imports = new Map(
      files.map(({ path, text }) => [
        path,
        [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)]
          .map(([, specifier = '']) =>
            specifier.startsWith('#web/')
              ? specifier.replace('#web/', 'src/web/')
              : normalize(join(dirname(path), specifier)).replaceAll('\\', '/'),
          )
          .filter(one => paths.has(one)),
      ]),
    );
  }

  #with(from: string): Set<string> {
    const known = this.#loaded.get(from);
    if (known) return known;
    const loaded = new Set([from]);
    for (const path of loaded) for (const one of this.#imports.get(path) ?? []) loaded.add(one);
    this.#loaded.set(from, loaded);
    return loaded;
  }

  /** One of the sheets comes with the file, or with every file that loads it. */
  brings(from: string, sheets: readonly string[], asked = new Set<string>()): boolean {
    if (sheets.some(sheet => globalSheets.includes(sheet) || this.#with(from).has(sheet))) return true;
    asked.add(from);
    const importers = [...this.#imports].filter(([, paths]) => paths.includes(from)).map(([path]) => path);
    return importers.length > 0 && importers.every(one => asked.has(one) || this.brings(one, sheets, asked));
  }
}

/** Which classes can be on one element: those of one place, and those a component puts beside what it is handed. */
export function wornTogether(
  sources: readonly Source[],
  names: readonly string[],
): (one: string, other: string) => boolean {
  const byComponent = new Map(sources.map(source => [basename(source.path, '.tsx'), source]));
  const besideHanded = (component: string, asked: readonly string[] = []): Worn[] =>
    (byComponent.get(component)?.places ?? [])
      .filter(({ passesOn }) => passesOn && !asked.includes(component))
      .flatMap(place => [...place.literals.flat(), ...besideHanded(place.component, [...asked, component])]);
  const pairs = new Set<string>();
  for (const { places } of sources)
    for (const { literals, component } of places) {
      const worn = literals.flat();
      const all = [...worn, ...(worn.length > 0 ? besideHanded(component) : [])];
      const meant = all.flatMap(one => (one.isOpen ? names.filter(name => fits(one, name)) : [one.name]));
      for (const one of meant) for (const other of meant) if (one !== other) pairs.add(`${one} ${other}`);
    }
  return (one, other) => pairs.has(`${one} ${other}`);
}

/** Properties that both set, one perhaps as a part of the other's shorthand, to different values. */
export function disagreements(one: Style, other: Style): string[] {
  const covers = (whole: string, part: string) =>
    part === whole || part.startsWith(`${whole}-`) || (whole === 'font' && part === 'line-height');
  return [...one.declared]
    .filter(([property, value]) =>
      [...other.declared].some(
        ([its, itsValue]) => value !== itsValue && (covers(property, its) || covers(its, property)),
      ),
    )
    .map(([property]) => property)
    .filter(property => !property.startsWith('--'));
}
