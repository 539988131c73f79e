/**
 * Runs Lighthouse on every page of the sitemap: mobile preset with simulated throttling, a real server with a production build,
 * and a new browser for each page. Then measures interactions inside the app (`interactions.ts`). Prints the goals, and one
 * line per page or interaction with medians, spread and a verdict, and fails if a goal is missed. `--runs 1` is enough for
 * everything except speed. Arguments are the pages to measure, or `app` for the interactions: `npm run bench:web -- --runs 3 /
 * /login app`. Rounds that other programs disturbed do not count (`quiet.ts`).
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findOrInstallBrowser } from '#scripts/browser.ts';
import { readCommandLine, refuseCommandLine } from '#server/commands/commandLine.ts';
import { startServer, stopAll, testSettings } from '../tests/serverProcess.ts';
import { root, say } from './bank.ts';
import { measureInteractions } from './interactions.ts';
import { median, runWhileQuiet, withSpread } from './quiet.ts';

/** The argument that selects the interactions in the app instead of a page. */
const app = 'app';
const goals = { performance: 98, other: 100, lcpMs: 1200, cls: 0, tbtMs: 50 };

const tool = join(root, 'bench/lighthouse');
const program = join(tool, 'node_modules/lighthouse/cli/index.js');
const runFile = promisify(execFile);

const usage = `Usage: npm run bench:web [-- [--runs <n>] [<page> ...] [app]]

Measures every public page with Lighthouse, and interactions in the app; or only the given ones. Fails below the goals.
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

const browser = await findOrInstallBrowser();
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
  const middle = (name: keyof Measured) => median(all.map(measured => measured[name]));
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
    ...(page.tbtMs > goals.tbtMs ? ['TBT'] : []),
  ];
}

const columns = ['perf', 'a11y', 'practices', 'SEO', 'LCP ms', 'CLS', 'TBT ms', 'KB'];
const printRow = (name: string, cells: (string | number)[], end = '') =>
  say(`${name.padEnd(38)}${cells.map(cell => String(cell).padStart(17)).join('')}  ${end}`.trimEnd());
const disturbed = 'not measured: other programs used the machine';

/** Measures the requested pages, or all pages of the sitemap. Returns whether all of them reach every goal. */
async function measurePages(url: string, folder: string): Promise<boolean> {
  const sitemap = await (await fetch(`${url}/sitemap.xml`)).text();
  const found = [...sitemap.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, loc = '']) => new URL(loc).pathname);
  const pages = positionals.length > 0 ? positionals.filter(name => name !== app) : found;
  // Warm up: the server assembles and compresses a page on its first request, which must not be measured.
  for (const page of pages) {
    for (const encoding of ['br', 'gzip']) {
      const { status } = await fetch(url + page, { headers: { 'accept-encoding': encoding } });
      if (status !== 200) throw new Error(`${page} answers ${status}`);
    }
  }

  say(`In ${chromium}`);
  printRow(`median (spread) of ${runs}`, columns, 'verdict');
  printRow('goal', [
    goals.performance,
    goals.other,
    goals.other,
    goals.other,
    goals.lcpMs,
    goals.cls,
    goals.tbtMs,
    '',
  ]);
  let failed = 0;
  for (const page of pages) {
    const all = await runWhileQuiet(runs, () => measure(url + page, folder));
    if (all.length < runs) {
      failed++;
      printRow(page, [], disturbed);
      continue;
    }
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
        withSpread(all.map(({ lcpMs }) => lcpMs)),
        m.cls.toFixed(3),
        withSpread(all.map(({ tbtMs }) => tbtMs)),
        (m.bytes / 1000).toFixed(1),
      ],
      missed.length > 0 ? `missed: ${missed.join(', ')}` : 'reached',
    );
  }
  say(`\n${pages.length - failed} of ${pages.length} pages reach every goal.`);
  return failed === 0;
}

/** Measures what a customer and an administrator do inside the app; returns whether all of it reaches the goals. */
async function measureApp(url: string): Promise<boolean> {
  const found = await measureInteractions(url, chromium, runs);
  say('');
  printRow('4 times slower processor', ['goal', 'median (spread)'], 'verdict');
  if (found.length === 0) printRow('interactions', [], disturbed);
  let missed = 0;
  for (const { name, goal, unit, values } of found) {
    const isReached = goal === undefined || median(values) <= goal;
    if (!isReached) missed++;
    const verdict = goal === undefined ? '' : isReached ? 'reached' : 'missed';
    printRow(name, [goal === undefined ? '' : `${goal}${unit}`, withSpread(values)], verdict);
  }
  return found.length > 0 && missed === 0;
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
  // With demo data: the interactions need customers with a history.
  const settings = { DEMO: '1', ADMIN_EMAIL: undefined, ADMIN_PASSWORD: undefined };
  const { url } = await startServer(testSettings(dataDir, settings));
  const pagesReach = await measurePages(url, folder);
  const isAppMeasured = positionals.length === 0 || positionals.some(name => name === app);
  const appReaches = !isAppMeasured || (await measureApp(url));
  process.exitCode = pagesReach && appReaches ? 0 : 1;
} finally {
  await cleanUp();
}
