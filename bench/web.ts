/**
 * Runs Lighthouse on every page of the sitemap: mobile preset with simulated throttling, a real server with a production build,
 * and a new browser for each page. Prints one line per page (medians of 5 runs, or of `--runs`) and fails below the goals.
 * `--runs 1` is enough for everything except speed. Arguments limit it to those pages: `npm run bench:web -- --runs 3 / /login`.
 * Speed is only meaningful if nothing else runs on the machine.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findBrowser } from '#scripts/browser.ts';
import { readCommandLine, refuseCommandLine } from '#server/commands/commandLine.ts';
import { startServer, stopAll, testSettings } from '../tests/serverProcess.ts';

const goals = { performance: 98, other: 100, lcpMs: 1200, cls: 0 };

const root = fileURLToPath(new URL('..', import.meta.url));
const tool = join(root, 'bench/lighthouse');
const program = join(tool, 'node_modules/lighthouse/cli/index.js');
const runFile = promisify(execFile);
const say = (line: string) => process.stdout.write(`${line}\n`);

const usage = `Usage: npm run bench:web [-- [--runs <n>] [<page> ...]]

Measures every public page, or the given pages, with Lighthouse. Fails below the goals.
  --runs   how often each page is measured (default 5); the medians are compared with the goals
`;
const { values, positionals } = readCommandLine(usage, {
  options: { runs: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1) refuseCommandLine(usage, '--runs must be 1 or more.');

/** Runs a program to its end; throws an error with its output if it fails. */
async function run(command: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  await runFile(command, args, { cwd: root, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 });
}

const browser = await findBrowser();
if ('missing' in browser) throw new Error(browser.missing);
const chromium = browser.path;
if (!existsSync(program)) {
  say('Installing Lighthouse (once) …');
  await run('npm', ['ci', '--prefix', tool, '--loglevel=error']);
}
await run(process.execPath, ['scripts/build.ts', '--if-changed']);

type Audit = { numericValue?: number };
type Report = {
  categories: Record<'performance' | 'accessibility' | 'best-practices' | 'seo', { score: number | null }>;
  audits: Record<string, Audit>;
};

async function measure(url: string, folder: string) {
  const file = join(folder, 'report.json');
  const runLighthouse = () =>
    run(
      process.execPath,
      [
        program,
        url,
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
  // Retried once: sometimes Lighthouse misses the start of the page load (NO_NAVSTART).
  await runLighthouse().catch(runLighthouse);
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
type Measured = Awaited<ReturnType<typeof measure>>;

function medianOf(all: Measured[]): Measured {
  const middle = (name: keyof Measured) =>
    all.map(measured => measured[name]).sort((a, b) => a - b)[all.length >> 1]!;
  return Object.fromEntries(
    Object.keys(all[0]!).map(name => [name, middle(name as keyof Measured)]),
  ) as Measured;
}

/** Returns the names of the goals that a page misses. */
function listMissedGoals(page: Measured): string[] {
  return [
    ...(page.performance < goals.performance ? ['performance'] : []),
    ...(['accessibility', 'practices', 'seo'] as const).filter(name => page[name] < goals.other),
    ...(page.lcpMs > goals.lcpMs ? ['LCP'] : []),
    ...(page.cls > goals.cls ? ['CLS'] : []),
  ];
}

const columns = ['perf', 'a11y', 'practices', 'SEO', 'LCP ms', 'CLS', 'TBT ms', 'KB'];
const printRow = (name: string, cells: (string | number)[], end = '') =>
  say(`${name.padEnd(38)}${cells.map(cell => String(cell).padStart(10)).join('')}  ${end}`.trimEnd());

/** Measures the requested pages, or all pages of the sitemap; returns whether all reach every goal. */
async function measurePages(url: string, folder: string): Promise<boolean> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
  const found = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc = '']) => new URL(loc).pathname);
  const pages = positionals.length > 0 ? positionals : found;
  // Warm up: the server assembles and compresses a page on its first request, which must not be measured.
  for (const page of pages) {
    for (const encoding of ['br', 'gzip']) {
      const { status } = await fetch(url + page, { headers: { 'accept-encoding': encoding } });
      if (status !== 200) throw new Error(`${page} answers ${status}`);
    }
  }

  say(`In ${chromium}`);
  printRow(`median of ${runs}`, columns);
  let failed = 0;
  for (const page of pages) {
    const all: Measured[] = [];
    while (all.length < runs) all.push(await measure(url + page, folder));
    const m = medianOf(all);
    const missed = listMissedGoals(m);
    if (missed.length > 0) failed++;
    printRow(
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
      missed.length > 0 ? `below: ${missed.join(', ')}` : '',
    );
  }
  say(`\n${pages.length - failed} of ${pages.length} pages reach every goal.`);
  return failed === 0;
}

const folder = mkdtempSync(join(tmpdir(), 'larkspur-bench-web-'));
const dataDir = join(folder, 'data');
async function cleanUp(): Promise<void> {
  await stopAll([dataDir]);
  rmSync(folder, { recursive: true, force: true });
}
// The server runs in its own process group, which Ctrl-C does not reach.
process.once('SIGINT', () => void cleanUp().finally(() => process.exit(130)));
try {
  const { url } = await startServer(testSettings(dataDir));
  process.exitCode = (await measurePages(url, folder)) ? 0 : 1;
} finally {
  await cleanUp();
}
