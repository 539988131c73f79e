/**
 * The house rules for style sheets (`docs/decisions/0013-one-styling-system.md`). Each rule is first run on a sample that
 * breaks it, so a rule that finds nothing cannot pass.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { listFiles } from '#scripts/listFiles.ts';
import {
  disagreements,
  type File,
  fits,
  globalSheets,
  isOwn,
  Loading,
  readSheet,
  readSource,
  type Sheet,
  type Source,
  type Style,
  usedTogether,
  usesOf,
} from './styleSheets.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

type Project = { files: File[]; sheets: Sheet[]; sources: Source[]; styles: Style[] };
type Rule = { name: string; breaks(project: Project): string[]; sample: File[] };

function readProject(files: File[]): Project {
  const sheets = files.filter(({ path }) => path.endsWith('.css')).map(readSheet);
  return {
    files,
    sheets,
    sources: files.filter(({ path }) => !path.endsWith('.css')).map(readSource),
    styles: sheets.filter(({ isGlobal }) => !isGlobal).flatMap(({ styles }) => styles),
  };
}

/** Classes that a library sets on its own elements, and the sheet that styles them. */
const libraryClass = /^Toastify__/;
const librarySheet = 'src/web/app/ToastLayer.css';
/** Properties that a library sets on its own elements. */
const libraryProperty = /^--(available-height|transform-origin)$/;
/** States that a script sets. They are always combined with a class of the component. */
const stateClass = /^is-/;

const nameOf = ({ path, selector }: Style) => `${path}: ${selector}`;
const component = (path: string, text: string) => ({ path: `src/web/ui/${path}`, text });

const rules: Rule[] = [
  {
    name: 'a sheet styles its own component: every selector has a class that begins with the name of the sheet',
    breaks: ({ sheets, styles }) => [
      ...styles
        .filter(({ classes, prefix }) => !classes.some(name => isOwn(name, prefix)))
        .filter(
          ({ classes, path }) => !(path === librarySheet && classes.some(name => libraryClass.test(name))),
        )
        .map(nameOf),
      ...sheets.flatMap(({ path, prefix, keyframes }) =>
        keyframes.filter(name => !isOwn(name, prefix)).map(name => `${path}: @keyframes ${name}`),
      ),
    ],
    sample: [component('Knob.css', '@layer components { .Button { color: red; } }')],
  },
  {
    name: 'every class in a sheet is used',
    breaks({ sheets, sources }) {
      const uses = sources.flatMap(source => [...usesOf(source), ...source.guesses]);
      return sheets.flatMap(({ path, styles }) =>
        [...new Set(styles.flatMap(({ classes }) => classes))]
          .filter(name => !libraryClass.test(name) && !stateClass.test(name))
          .filter(name => !uses.some(one => fits(one, name)))
          .map(name => `${path}: .${name}`),
      );
    },
    sample: [
      component('Knob.css', '@layer components { .Knob-cap { color: red; } }'),
      component('Knob.tsx', '<i className="Knob" />'),
    ],
  },
  {
    name: 'every class that a component uses is in a sheet, and the sheet is loaded with the component',
    breaks({ files, sheets, sources }) {
      const mentions = sheets.flatMap(({ path, prefix, isGlobal, styles }) =>
        styles
          .flatMap(({ classes }) => classes)
          .map(name => ({ name, path, isOwner: isGlobal || isOwn(name, prefix) })),
      );
      const loading = new Loading(files);
      return sources.flatMap(source => {
        const { path } = source;
        const likely = source.guesses.filter(({ name }) => sheets.some(({ prefix }) => isOwn(name, prefix)));
        const wrong = [...usesOf(source), ...likely].filter(one => {
          const found = mentions.filter(({ name }) => fits(one, name));
          const owners = found.filter(({ isOwner }) => isOwner).map(mention => mention.path);
          // A class may be styled by another component's sheet alone, as when a list lays out its items.
          return found.length === 0 || (owners.length > 0 && !loading.brings(path, owners));
        });
        return [...new Set(wrong.map(({ name }) => `${path}: ${name}`))];
      });
    },
    sample: [
      component('Knob.css', '@layer components { .Knob { color: red; } }'),
      component('Knob.tsx', '<i className="Knob" />'),
      component('Dial.tsx', "<i className={classNames('Knob', isOn && 'mt-4')} />"),
    ],
  },
  {
    name: 'the load order of sheets never matters: a rule that changes another component has a higher specificity',
    breaks({ styles, sources }) {
      const together = usedTogether(sources, [...new Set(styles.flatMap(({ subject }) => subject))]);
      const meet = (owner: Style, guest: Style) =>
        owner.subject
          .filter(name => isOwn(name, owner.prefix))
          .some(name =>
            guest.subject.some(
              other => other === name || (isOwn(other, guest.prefix) && together(name, other)),
            ),
          );
      const sameRank = Map.groupBy(styles, one => `${one.layer} ${one.weight} ${one.pseudoElement}`);
      return [...sameRank.values()].flatMap(equals =>
        equals.flatMap((one, place) =>
          equals
            .slice(place + 1)
            .filter(other => one.path !== other.path && (meet(one, other) || meet(other, one)))
            .filter(other => disagreements(one, other).length > 0)
            .map(other => `${nameOf(one)} and ${nameOf(other)} on ${disagreements(one, other).join()}`),
        ),
      );
    },
    sample: [
      component('Knob.css', '@layer components { .Knob { margin: 4px; } }'),
      component('Knob.tsx', "<i className={classNames('Knob', className)} />"),
      component('Dial.css', '@layer components { .Dial-knob { margin-top: 8px; } }'),
      component('Dial.tsx', '<Knob onTurn={() => turn()} className="Dial-knob" />'),
    ],
  },
  {
    name: 'a component does not set what a shared class on the same element sets',
    breaks({ styles, sheets, sources }) {
      const shared = sheets.filter(({ path }) => path === globalSheets.at(-1)).flatMap(sheet => sheet.styles);
      const literals = sources.flatMap(({ places }) => places.flatMap(place => place.literals));
      const isBeside = (name: string, other: string) =>
        literals.some(uses => [name, other].every(one => uses.some(use => fits(use, one))));
      return styles.flatMap(style =>
        shared
          .filter(({ pseudoElement }) => pseudoElement === style.pseudoElement)
          .filter(one => disagreements(style, one).length > 0)
          .filter(({ subject: [name = ''] }) =>
            style.subject.some(other => other === name || isBeside(name, other)),
          )
          .map(one => `${nameOf(style)} and ${one.selector} on ${disagreements(style, one).join()}`),
      );
    },
    sample: [
      { path: 'src/web/ui/shared.css', text: '@layer shared { .link { color: red; } }' },
      component('Knob.css', '@layer components { .Knob-help { color: blue; } }'),
      component('Knob.tsx', '<a className="link Knob-help" />'),
    ],
  },
  {
    name: 'every custom property that a sheet uses without a fallback is set somewhere',
    breaks({ files, sheets }) {
      const set = new Set(
        files.flatMap(({ text }) => [...text.matchAll(/(--[\w-]+)['"\]]*\s*:/g)].map(([, name]) => name!)),
      );
      return sheets.flatMap(({ path }) => {
        const { text } = files.find(file => file.path === path)!;
        return [...text.matchAll(/var\((--[\w-]+)\)/g)]
          .map(([, name]) => name!)
          .filter(name => !set.has(name) && !libraryProperty.test(name))
          .map(name => `${path}: ${name}`);
      });
    },
    sample: [component('Knob.css', '@layer components { .Knob { gap: var(--s2); } }')],
  },
  {
    name: 'every rule is in a layer, except rules for print',
    breaks: ({ sheets }) =>
      sheets.flatMap(({ styles }) => styles.filter(({ layer }) => layer === '').map(nameOf)),
    sample: [component('Knob.css', '.Knob { color: red; }')],
  },
];

const project = readProject(
  listFiles(root)
    .filter(path => /^src\/web\/.*\.(css|tsx?)$/.test(path) && !/\.test\.tsx?$/.test(path))
    .map(path => ({ path, text: readFileSync(join(root, path), 'utf8') })),
);

describe('style sheets', () => {
  it('are found, and so are the classes of the components', () => {
    expect(project.sheets.length).toBeGreaterThan(100);
    expect(project.sources.filter(({ places }) => places.length > 0).length).toBeGreaterThan(150);
  });

  for (const rule of rules)
    it(rule.name, () => {
      expect(rule.breaks(readProject(rule.sample)), 'the rule must find its sample').not.toEqual([]);
      expect(rule.breaks(project)).toEqual([]);
    });
});
