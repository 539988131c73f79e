/**
 * Reads the style sheets of the web app and the classes its components use, for the rules in `styles.test.ts`. It matches text
 * instead of parsing it, which is enough for formatted sources.
 */
import { basename, dirname, join, normalize } from 'node:path';

export type File = { path: string; text: string };

/** One selector with its declarations. */
export type Style = {
  path: string;
  /** The name of the sheet, with which its classes begin. */
  prefix: string;
  selector: string;
  /** `classes`: all classes in the selector. `subject`: only the classes of the element that the selector applies to. */
  classes: string[];
  subject: string[];
  pseudoElement: string;
  weight: number;
  layer: string;
  declared: Map<string, string>;
};

export type Sheet = { path: string; prefix: string; isGlobal: boolean; styles: Style[]; keyframes: string[] };

/** A class that a component uses. */
export type Use = {
  name: string;
  /** Whether only the start of the name is known, as in `Button--${kind}`. */
  isOpen: boolean;
};

/** One `className` attribute, on an element or on a component that adds its own classes to it. */
type Place = {
  /** The classes of each string literal in the attribute. Two literals may exclude each other, as in `a ? 'x' : 'y'`. */
  literals: Use[][];
  component: string;
  /** Whether the component passes its own `className` prop on here. */
  passesOn: boolean;
};

export type Source = {
  path: string;
  places: Place[];
  /** Words outside of `className` attributes that look like the class of a component's part. */
  guesses: Use[];
};

/** Sheets with classes that any component may use. */
export const globalSheets = ['src/web/app/app.css', 'src/web/ui/tokens.css', 'src/web/ui/shared.css'];

export const isOwn = (name: string, prefix: string) => name === prefix || name.startsWith(`${prefix}-`);
export const fits = ({ name, isOpen }: Use, other: string) =>
  isOpen ? other.startsWith(name) : other === name;

const classesIn = (selector: string) =>
  [...selector.matchAll(/\.(-?[A-Za-z_][\w-]*)/g)].map(([, name]) => name!);

/** Splits at commas that are not inside parentheses. */
function splitList(list: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of list) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map(part => part.trim());
}

/** Returns the text between the bracket at `start` and the matching one. */
function insideBrackets(text: string, start: number): string {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    if ('({'.includes(text[index]!)) depth++;
    else if (')}'.includes(text[index]!) && --depth === 0) return text.slice(start + 1, index);
  }
  return text.slice(start + 1);
}

/** A selector's specificity as one number: 1,000,000 for an id, 1,000 for a class, 1 for an element. */
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
    if (part.startsWith('@') || open.some(rule => rule.startsWith('@keyframes '))) continue;
    const layer = open.find(rule => /^@(layer|media print$)/.test(rule)) ?? '';
    current = splitList(part).map(selector => {
      const subject = selector.split(/[\s>+~]+(?![^(]*\))/).at(-1)!;
      return {
        path,
        prefix,
        selector,
        layer,
        declared: new Map(),
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

/** Returns the classes in each string literal of an expression, except strings in comparisons. */
function usesIn(expression: string): Use[][] {
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

/** Returns the name of the tag whose attribute is at `position`. */
function tagAround(text: string, position: number): string {
  let depth = 0;
  for (let at = position - 1; at >= 0; at--) {
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
      literals: usesIn(expression),
      component: /^[A-Z]\w*$/.test(tag) ? tag : '',
      passesOn: /\bclassName\b/.test(expression),
    });
  }
  // `className` passed on with other props: <Field {...{ label, className }}>
  for (const [, component] of text.matchAll(/<([A-Z]\w*) \{\.\.\.\{[^}]*\bclassName\b/g))
    places.push({ literals: [], component: component!, passesOn: true });
  const guesses = text.matchAll(/['"`\s]([A-Z]\w+--?(?:[a-z][\w-]*)?)(?=['"`\s]|(\$\{))/g);
  return {
    path,
    places,
    guesses: [...guesses].map(([, name, more]) => ({ name: name!, isOpen: more !== undefined })),
  };
}

/** Returns every class that a file uses. */
export const usesOf = ({ places }: Source) => places.flatMap(({ literals }) => literals.flat());

/** The import graph, which shows the sheets that are loaded with a file. */
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
          .filter(imported => paths.has(imported)),
      ]),
    );
  }

  #loadedWith(from: string): Set<string> {
    const known = this.#loaded.get(from);
    if (known) return known;
    const loaded = new Set([from]);
    for (const path of loaded) for (const imported of this.#imports.get(path) ?? []) loaded.add(imported);
    this.#loaded.set(from, loaded);
    return loaded;
  }

  /** Whether one of the sheets is loaded with the file, or with every file that imports it. */
  brings(from: string, sheets: readonly string[], visited = new Set<string>()): boolean {
    if (sheets.some(sheet => globalSheets.includes(sheet) || this.#loadedWith(from).has(sheet))) return true;
    visited.add(from);
    const importers = [...this.#imports].filter(([, paths]) => paths.includes(from)).map(([path]) => path);
    return (
      importers.length > 0 && importers.every(path => visited.has(path) || this.brings(path, sheets, visited))
    );
  }
}

/** Returns a predicate: can two classes be on one element, in one `className` or passed to a component with its own classes? */
export function usedTogether(
  sources: readonly Source[],
  names: readonly string[],
): (one: string, other: string) => boolean {
  const byComponent = new Map(sources.map(source => [basename(source.path, '.tsx'), source]));
  const addedBy = (component: string, visited: readonly string[] = []): Use[] =>
    (byComponent.get(component)?.places ?? [])
      .filter(({ passesOn }) => passesOn && !visited.includes(component))
      .flatMap(place => [...place.literals.flat(), ...addedBy(place.component, [...visited, component])]);
  const pairs = new Set<string>();
  for (const { places } of sources)
    for (const { literals, component } of places) {
      const own = literals.flat();
      const all = [...own, ...(own.length > 0 ? addedBy(component) : [])];
      const possible = all.flatMap(use => (use.isOpen ? names.filter(name => fits(use, name)) : [use.name]));
      for (const one of possible)
        for (const other of possible) if (one !== other) pairs.add(`${one} ${other}`);
    }
  return (one, other) => pairs.has(`${one} ${other}`);
}

/** Returns the properties that both styles set to different values, directly or through a shorthand. */
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
