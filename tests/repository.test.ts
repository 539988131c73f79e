/** The repository around the product: the documents, the versions, and the pre-commit hook. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listFiles } from '#scripts/listFiles.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const tracked = listFiles(root);
const documents = tracked.filter(path => path.endsWith('.md'));
/** Documents about the whole project. The other documents describe one folder each. */
const projectDocuments = documents.filter(path => /^(docs\/.*|[A-Z]+)\.md$/.test(path));

/** The anchor that GitHub generates for a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

/** The broken links of a document: to a missing file, or to a heading that is not in the file. */
function brokenLinks(path: string, text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link!)
    .filter(link => !/^https?:/.test(link))
    .filter(link => {
      const [file, anchor] = link.split('#') as [string, string?];
      const target = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(root, target))) return true;
      if (anchor === undefined) return false;
      const headings = [...read(target).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));
      return !headings.includes(anchor);
    });
}

describe('the documents', () => {
  test('link only to files and headings that exist', () => {
    expect(brokenLinks('docs/x.md', '[a](missing.md) [b](../README.md#missing) [c](../README.md)')).toEqual([
      'missing.md',
      '../README.md#missing',
    ]);
    expect(documents.length).toBeGreaterThan(10);
    expect(documents.flatMap(path => brokenLinks(path, read(path)).map(link => `${path}: ${link}`))).toEqual(
      [],
    );
  });

  test('about the whole project are all listed in the README', () => {
    const others = projectDocuments.filter(path => path !== 'README.md');
    expect(others.length).toBeGreaterThan(10);
    expect(others.filter(path => !read('README.md').includes(`(${path})`))).toEqual([]);
  });

  test('about the whole project are wrapped at 120 columns except in tables, code and images', () => {
    const tooLong = projectDocuments.flatMap(path =>
      read(path)
        .replace(/^```[\s\S]*?^```/gm, '')
        .split('\n')
        .filter(line => line.length > 120 && !/^\s*[|!]/.test(line))
        .map(line => `${path}: ${line}`),
    );
    expect(tooLong).toEqual([]);
  });

  test('have no marks of a conflict between branches', () => {
    expect(documents.filter(path => /^[<>]{7} /m.test(read(path)))).toEqual([]);
  });
});

describe('the versions', () => {
  test('of the package, its lock file, the Helm chart and a section of the changelog are the same', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    const lock = JSON.parse(read('package-lock.json')) as { version: string; packages: { '': object } };
    expect([lock.version, lock.packages['']]).toMatchObject([version, { version }]);
    expect(read('deploy/helm/larkspur/Chart.yaml')).toContain(
      `\nversion: ${version}\nappVersion: ${version}\n`,
    );
    expect(read('CHANGELOG.md')).toContain(`\n## ${version} - `);
  });

  test('of Node are the same in .node-version and in every bundled package', () => {
    const { optionalDependencies } = JSON.parse(read('package.json')) as {
      optionalDependencies: Record<string, string>;
    };
    const bundled = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'));
    expect(bundled.length).toBeGreaterThan(1);
    const version = read('.node-version').trim();
    expect(bundled.filter(([, pinned]) => pinned !== version)).toEqual([]);
  });

  test('of all actions in the GitHub workflows are commit hashes', () => {
    const workflows = tracked.filter(path => path.startsWith('.github/workflows/'));
    const used = workflows.flatMap(path =>
      [...read(path).matchAll(/uses: (.+)/g)].map(([, action]) => action!),
    );
    expect(used.length).toBeGreaterThan(2);
    expect(used.filter(action => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });
});

describe('the pre-commit hook', () => {
  let clone: string;
  const git = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: clone, encoding: 'utf8' });
    return { status, output: stdout + stderr };
  };
  const commit = () => git('-c', 'user.name=Ada', '-c', 'user.email=ada@bank.example', 'commit', '-m', 'Try');
  const write = (name: string, text: string) => writeFileSync(join(clone, 'src/contract', name), text);

  beforeAll(() => {
    clone = mkdtempSync(join(tmpdir(), 'larkspur-clone-'));
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone], { stdio: 'ignore' });
    for (const path of ['.githooks', 'biome.json']) {
      rmSync(join(clone, path), { recursive: true, force: true });
      cpSync(join(root, path), join(clone, path), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    git('config', 'core.hooksPath', '.githooks');
  });
  afterAll(() => rmSync(clone, { recursive: true, force: true }));

  test('refuses a staged file that is not formatted, says how to fix it, and accepts it afterward', () => {
    write('staged.ts', 'export const staged = "one"\n');
    git('add', 'src/contract/staged.ts');
    const refused = commit();
    expect(refused.status).toBe(1);
    expect(refused.output).toContain('src/contract/staged.ts');
    const fix = /run "npx (biome [^"]+)"/.exec(refused.output)![1]!;
    expect(spawnSync(join('node_modules/.bin', fix), { cwd: clone, shell: true }).status).toBe(0);
    git('add', 'src/contract/staged.ts');
    expect(commit()).toMatchObject({ status: 0 });
  });

  test('checks only staged files, and accepts a commit without any file that Biome checks', () => {
    write('unstaged.ts', 'export const unstaged = "one"\n');
    write('notes.txt', 'plain');
    git('add', 'src/contract/notes.txt');
    expect(commit()).toMatchObject({ status: 0 });
  });
});
