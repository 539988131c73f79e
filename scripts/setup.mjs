/**
 * Installs the packages if they are missing or do not match package-lock.json, and otherwise does nothing. Runs before
 * `npm start`, `npm test` and most other commands. It runs on the machine's own Node (20 or newer), so it uses only built-in
 * modules.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const MIN_NODE = 20;
const PRODUCT_NODE = 24;
const WINDOWS = process.platform === 'win32';

// The tests always start the embedded PostgreSQL; the bank does unless DATABASE_URL is set.
const embedsPostgres = process.env.npm_lifecycle_event === 'pretest' || !process.env.DATABASE_URL?.trim();
if (WINDOWS && embedsPostgres) {
  fail(
    'There is no embedded PostgreSQL for Windows: run this command inside WSL 2, or run "npm start" with DATABASE_URL set to your own PostgreSQL.',
  );
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const stampFile = join(modules, '.setup-stamp');
const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
// Compares the content and not the date, because a checkout gives every file a new date.
const stamp = createHash('sha256')
  .update(lockText)
  .update(`${process.platform}-${process.arch}`)
  .digest('hex');

if (readIfExists(stampFile) === stamp) process.exit(0);
const hostMajor = Number(process.versions.node.split('.')[0]);
if (hostMajor < MIN_NODE) {
  fail(`This project needs Node ${MIN_NODE} or newer to start; this is ${process.version}.`);
}
if (!isInstalled()) install();
linkBundledNode();
// npm scripts use `exec`, which cmd.exe does not have. So on Windows, `exec` is a script that runs its arguments.
if (WINDOWS) writeFileSync(join(modules, '.bin', 'exec.cmd'), '@%*\r\n');
writeFileSync(stampFile, stamp);

/** Whether npm, run by hand, has already installed the packages of package-lock.json. */
function isInstalled() {
  const installed = JSON.parse(
    readIfExists(join(modules, '.package-lock.json')) ?? '{"packages":{}}',
  ).packages;
  return Object.entries(JSON.parse(lockText).packages).every(([path, wanted]) => {
    if (path === '') return true;
    const found = installed[path];
    if (found) {
      const same = found.version === wanted.version && found.integrity === wanted.integrity;
      return same && existsSync(join(root, path, 'package.json'));
    }
    const ours = allows(wanted.os, process.platform) && allows(wanted.cpu, process.arch) && !wanted.libc;
    return Boolean(wanted.optional) && !(ours && (wanted.os || wanted.cpu));
  });
}

/** Whether npm's `os` or `cpu` list allows `name`: entries are allowed names, or excluded names with a leading `!`. */
function allows(list, name) {
  const entries = [list ?? []].flat();
  return (
    entries.includes(name) || (entries.every(entry => entry.startsWith('!')) && !entries.includes(`!${name}`))
  );
}

function install() {
  const startedAt = Date.now();
  process.stdout.write('Installing packages (first run, or the packages changed) …\n');
  let status = runNpmCi();
  if (status !== 0) {
    process.stdout.write('The installation failed; trying once more …\n');
    rmSync(modules, { recursive: true, force: true, maxRetries: 3 });
    status = runNpmCi();
  }
  if (status !== 0)
    fail('The packages could not be installed. Check the network connection, then run the command again.');
  process.stdout.write(`Installed in ${((Date.now() - startedAt) / 1000).toFixed(1)} s.\n`);
}

function runNpmCi() {
  const env = { ...process.env };
  // Variables of the npm that runs this script would confuse the npm that we start.
  for (const name of Object.keys(env)) if (/^npm_(package|lifecycle|command)/.test(name)) delete env[name];
  // `npm ci` deletes node_modules, so it must not run on the bundled Node inside it.
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
 * Links the bundled Node into `.bin`, so that npm scripts run on it. npm usually does that itself, but npm 10 creates no link
 * if packages for several systems have a program of the same name.
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

function readIfExists(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
