/**
 * Lighthouse over every page a search engine may find, the login among them: its mobile preset with simulated throttling, on a
 * real server of a production build, each page with a browser of its own. Prints a line a page (medians of 5 runs) and fails
 * below the goals. `--runs 1` is quicker and good for everything but speed; words after that are pages to keep to:
 * `npm run bench:web -- --runs 1 / /login`. Nothing else may run on the machine where speed is to mean anything.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findBrowser } from '#scripts/browser.ts';

const goals = { performance: 98, other: 100, lcpMs: 1200, cls: 0 };

const root = fileURLToPath(new URL('..', import.meta.url));
const tool = join(root, 'bench/lighthouse');
const program = join(tool, 'node_modules/lighthouse/cli/index.js');
const folder = mkdtempSync(join(tmpdir(), 'larkspur-bench-web-'));
const say = (line: string) => process.stdout.write(`${line}\n`);

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const runs = Number(values.runs);

/** Runs a program to its end; its output is shown where it fails. */
function run(command: string, args: string[], env: NodeJS.ProcessEnv = {}): void {
  const ran = spawnSync(command, args, { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } });
  if (ran.status !== 0) throw new Error(`${command} ${args.join(' ')}\n${ran.stdout}${ran.stderr}`);
}

const browser = findBrowser();
if ('missing' in browser) throw new Error(browser.missing);
const chromium = browser.path;
if (!existsSync(program)) {
  say('Installing Lighthouse (once) …');
  run('npm', ['ci', '--prefix', tool, '--loglevel=error']);
}
run(process.execPath, ['scripts/build.ts', '--if-changed']);

const server = spawn(process.execPath, ['src/server/main.ts'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    DEMO: '0',
    ADMIN_EMAIL: 'admin@bank.example',
    ADMIN_PASSWORD: 'only for benchmarks',
  },
});
process.once('exit', () => server.kill('SIGTERM'));

async function address(): Promise<string> {
  let said = '';
  for await (const chunk of server.stdout) {
    said += String(chunk);
    const found = /Bank\s+(http:\/\/localhost:\d+)/.exec(said)?.[1];
    if (found) return found;
  }
  throw new Error(`The bank did not start:\n${said}`);
}
const url = await address();

type Audit = { numericValue?: number };
type Report = {
  categories: Record<'performance' | 'accessibility' | 'best-practices' | 'seo', { score: number | null }>;
  audits: Record<string, Audit>;
};

function measure(page: string) {
  const file = join(folder, 'report.json');
  run(
    process.execPath,
    [
      program,
      url + page,
      '--quiet',
      '--no-enable-error-reporting',
      '--form-factor=mobile',
      '--throttling-method=simulate',
      '--only-categories=performance,accessibility,best-practices,seo',
      '--output=json',
      `--output-path=${file}`,
      '--chrome-flags=--headless=new --no-sandbox --disable-gpu --disable-background-networking --disable-component-update',
    ],
    { CHROME_PATH: chromium },
  );
  const { categories, audits } = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const score = (name: keyof Report['categories']) => Math.round(100 * (categories[name].score ?? 0));
  const value = (name: string) => audits[name]?.numericValue ?? Number.NaN;
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    practices: score('best-practices'),
    seo: score('seo'),
    lcpMs: value('largest-contentful-paint'),
    cls: value('cumulative-layout-shift'),
    tbtMs: value('total-blocking-time'),
    bytes: value('total-byte-weight'),
  };
}
type Measured = ReturnType<typeof measure>;

function medianOf(all: Measured[]): Measured {
  const middle = (name: keyof Measured) => all.map(one => one[name]).sort((a, b) => a - b)[all.length >> 1]!;
  return Object.fromEntries(
    Object.keys(all[0]!).map(name => [name, middle(name as keyof Measured)]),
  ) as Measured;
}

/** What a page falls short of, in words; empty where it reaches every goal. */
function shortOf(page: Measured): string[] {
  return [
    ...(page.performance < goals.performance ? ['performance'] : []),
    ...(['accessibility', 'practices', 'seo'] as const).filter(name => page[name] < goals.other),
    ...(page.lcpMs > goals.lcpMs ? ['LCP'] : []),
    ...(page.cls > goals.cls ? ['CLS'] : []),
  ];
}

const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
const found = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc = '']) => new URL(loc).pathname);
const pages = positionals.length > 0 ? positionals : found;
// The first visitor of all has a page made for them; that is not what is measured.
for (const page of pages) {
  for (const encoding of ['br', 'gzip']) {
    const { status } = await fetch(url + page, { headers: { 'accept-encoding': encoding } });
    if (status !== 200) throw new Error(`${page} answers ${status}`);
  }
}

const columns = ['perf', 'a11y', 'practices', 'SEO', 'LCP ms', 'CLS', 'TBT ms', 'KB'];
const line = (name: string, cells: (string | number)[], end = '') =>
  say(`${name.padEnd(38)}${cells.map(cell => String(cell).padStart(10)).join('')}  ${end}`.trimEnd());
line(`median of ${runs}`, columns);
let failed = 0;
for (const page of pages) {
  const m = medianOf(Array.from({ length: runs }, () => measure(page)));
  const short = shortOf(m);
  if (short.length > 0) failed++;
  line(
    page,
    [
      m.performance,
      m.accessibility,
      m.practices,
      m.seo,
      m.lcpMs.toFixed(0),
      m.cls.toFixed(3),
      m.tbtMs.toFixed(0),
      (m.bytes / 1000).toFixed(1),
    ],
    short.length > 0 ? `below: ${short.join(', ')}` : '',
  );
}
say(`\n${pages.length - failed} of ${pages.length} pages reach every goal.`);

server.kill('SIGTERM');
await once(server, 'exit');
rmSync(folder, { recursive: true, force: true });
process.exit(failed === 0 ? 0 : 1);
