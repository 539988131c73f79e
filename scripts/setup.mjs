/**
 * Installs the packages when they are missing or are not those of package-lock.json, and does nothing otherwise. Runs
 * before `npm start` and `npm test` on whatever Node the machine has (20 or newer), so it uses Node's own modules only.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const OLDEST_NODE = 20;
const PRODUCT_NODE = 24;
const WINDOWS = process.platform === 'win32';

// The tests always start the embedded PostgreSQL; the bank does unless DATABASE_URL names another one.
const embedsPostgres = process.env.npm_lifecycle_event === 'pretest' || !process.env.DATABASE_URL?.trim();
if (WINDOWS && embedsPostgres) {
  fail(
    'There is no embedded PostgreSQL for Windows: run this command inside WSL 2, or run "npm start" with DATABASE_URL set to a PostgreSQL of your own.',
  );
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.setup-stamp');
const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
// The content, not its date: a checkout gives every file a new date.
const wanted = createHash('sha256')
  .update(lockText)
  .update(`${process.platform}-${process.arch}`)
  .digest('hex');

if (readIfThere(stampFile) === wanted) process.exit(0);
const hostMajor = Number(process.versions.node.split('.')[0]);
if (hostMajor < OLDEST_NODE) {
  fail(`This project needs Node ${OLDEST_NODE} or newer to start; this is ${process.version}.`);
}
if (!isInstalled()) install();
linkBundledNode();
// npm scripts replace their shell with `exec`, which cmd.exe does not know: there it is a program that runs its arguments.
if (WINDOWS) writeFileSync(join(modules, '.bin', 'exec.cmd'), '@%*\r\n');
writeFileSync(stampFile, wanted);

/** Whether npm, run by hand, has already put in place what package-lock.json asks for. */
function isInstalled() {
  const there = JSON.parse(readIfThere(join(modules, '.package-lock.json')) ?? '{"packages":{}}').packages;
  return Object.entries(JSON.parse(lockText).packages).every(([path, wants]) => {
    if (path === '') return true;
    const has = there[path];
    if (has) {
      const same = has.version === wants.version && has.integrity === wants.integrity;
      return same && existsSync(join(root, path, 'package.json'));
    }
    const ours = allows(wants.os, process.platform) && allows(wants.cpu, process.arch) && !wants.libc;
    return Boolean(wants.optional) && !(ours && (wants.os || wants.cpu));
  });
}

/** npm's lists of systems: names that fit, or names with a `!` that do not. */
function allows(list, name) {
  const entries = [list ?? []].flat();
  return (
    entries.includes(name) || (entries.every(entry => entry.startsWith('!')) && !entries.includes(`!${name}`))
  );
}

function install() {
  const startedAt = Date.now();
  process.stdout.write('Installing packages (first run, or the list of packages changed) …\n');
  let status = runNpmCi();
  if (status !== 0) {
    process.stdout.write('That did not work; trying once more …\n');
    rmSync(modules, { recursive: true, force: true, maxRetries: 3 });
    status = runNpmCi();
  }
  if (status !== 0)
    fail('The packages could not be installed. Check the network connection, then run it again.');
  process.stdout.write(`Installed in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.\n`);
}

function runNpmCi() {
  const env = { ...process.env };
  // What the npm that started us says about its own run would confuse the npm that we start.
  for (const name of Object.keys(env)) if (/^npm_(package|lifecycle|command)/.test(name)) delete env[name];
  // `npm ci` deletes node_modules, so it must not run on the Node that lives in there.
  const pathName = Object.keys(env).find(name => name.toUpperCase() === 'PATH') ?? 'PATH';
  env[pathName] = (env[pathName] ?? '')
    .split(delimiter)
    .filter(directory => !directory.includes(`node_modules${sep}.bin`))
    .join(delimiter);
  Object.assign(env, {
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    npm_config_engine_strict: 'false',
    npm_config_loglevel: 'error',
  });
  const args = ['ci', '--include=dev', '--include=optional'];
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  const known = npm && node && basename(npm) === 'npm-cli.js' && existsSync(npm) && existsSync(node);
  const options = { cwd: root, env, stdio: 'inherit' };
  const result =
    known && !node.includes(`${sep}node_modules${sep}`)
      ? spawnSync(node, [npm, ...args], options)
      : spawnSync('npm', args, { ...options, shell: WINDOWS });
  if (result.error) process.stderr.write(`npm could not be started: ${result.error.message}\n`);
  return result.status;
}

/**
 * Puts the bundled Node first in every npm script. npm does that by itself, except that npm 10 makes no link when
 * packages for several systems offer a program of the same name.
 */
function linkBundledNode() {
  const system = WINDOWS ? 'win' : process.platform;
  const program = join(modules, `node-${system}-${process.arch}`, 'bin', WINDOWS ? 'node.exe' : 'node');
  if (!existsSync(program)) {
    if (hostMajor >= PRODUCT_NODE) return;
    fail(
      `There is no bundled Node for this system, and Node ${process.version} is too old: install Node ${PRODUCT_NODE} or newer.`,
    );
  }
  const programs = join(modules, '.bin');
  const link = join(programs, WINDOWS ? 'node.cmd' : 'node');
  if (existsSync(link)) return;
  mkdirSync(programs, { recursive: true });
  rmSync(link, { force: true });
  if (WINDOWS) writeFileSync(link, `@"${program}" %*\r\n`);
  else symlinkSync(relative(programs, program), link);
}

function readIfThere(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
