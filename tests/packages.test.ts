/** The release, and the files in `deploy` that run and watch the bank. Uses the real programs if they are installed. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { parse, parseAllDocuments, stringify } from 'yaml';
import { readReleaseFiles } from '#scripts/release/files.ts';
import { packRelease } from '#scripts/release.ts';
import { secretSettings } from '#server/config.ts';
import { reservePort } from '#server/http/reservedPort.ts';
import { alerts, observability } from './observability.ts';
import { eventually } from './waiting.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Skips the test unless this machine has the program. */
function needs(program: string, context: TestContext, option = '--version'): void {
  if (spawnSync(program, [option]).error) context.skip(`This machine does not have ${program}.`);
}

/** Runs a program and expects that it succeeds; returns what it printed. */
function run(program: string, args: string[], cwd = root): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
  return stdout + stderr;
}

let folder: string;
let unpacked: string;
let first: Buffer;

/** Writes a minimal build of the web app, with an asset of an earlier build. `time`: when all its files were modified. */
function writeBuild(name: string, time: number): string {
  const build = join(folder, name);
  const assets = join(build, 'web/assets');
  mkdirSync(assets, { recursive: true });
  for (const file of ['web/index.html', 'web/assets/app-1.js', 'csp.json'])
    writeFileSync(join(build, file), file);
  writeFileSync(join(assets, `old-${time}.js`), 'of the build before');
  writeFileSync(join(build, 'assets.json'), '["app-1.js"]');
  for (const file of readdirSync(build, { recursive: true, encoding: 'utf8' }))
    utimesSync(join(build, file), time, time);
  return build;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'larkspur-release-'));
  const { name, archive } = await packRelease(writeBuild('one', 1_000_000_000), 1_790_000_000);
  first = archive;
  writeFileSync(join(folder, 'release.tar.gz'), archive);
  run('tar', ['-xzf', 'release.tar.gz'], folder);
  unpacked = join(folder, name);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the bytes of a release depend on the time of the release, not on when its files were written [OB-06]', async () => {
  const { archive } = await packRelease(writeBuild('two', 1_500_000_000), 1_790_000_000);
  expect(archive.equals(first)).toBe(true);
  const later = await packRelease(join(folder, 'two'), 1_790_000_001);
  expect(later.archive.equals(first)).toBe(false);
});

test('a process that may open only 128 files at a time can read the files of a release [OB-06]', () => {
  const script =
    'const [, files, root, build] = process.argv; await (await import(files)).readReleaseFiles(root, build);';
  const limited = [
    '-c',
    'ulimit -n 128 && exec "$@"',
    'sh',
    process.execPath,
    '--input-type=module',
    '-e',
    script,
  ];
  run('sh', [...limited, join(root, 'scripts/release/files.ts'), root, join(folder, 'one')]);
});

test('a release has every file that the server and its commands load, and no tests [OB-06]', () => {
  const files = readdirSync(unpacked, { recursive: true, encoding: 'utf8' }).map(file =>
    file.replaceAll('\\', '/'),
  );
  expect(files.filter(file => file.endsWith('.test.ts'))).toEqual([]);
  expect(files).toContain('dist/web/assets/app-1.js');
  expect(files.filter(file => file.includes('old-'))).toEqual([]);
  const sources = files.filter(file => file.endsWith('.ts'));
  expect(sources.length).toBeGreaterThan(300);
  const loaded = sources.flatMap(file =>
    [
      ...readFileSync(join(unpacked, file), 'utf8').matchAll(
        /(?:^import [^;]*?from |^import |^export [^;]*?from |\bimport\(|new URL\()'([#.][^']*\.\w+)'/gm,
      ),
    ]
      .filter(([statement]) => !statement.startsWith('import type'))
      .map(([, target]) =>
        target!.startsWith('#')
          ? target!.replace(/^#scripts/, 'scripts').replace(/^#/, 'src/')
          : posix.join(posix.dirname(file), target!),
      ),
  );
  expect(loaded.length).toBeGreaterThan(1_000);
  // A release has only the modules of `scripts/build` that `build.ts --check` needs. The others need developer tools.
  const missing = new Set(loaded.filter(file => !files.includes(file) && !file.startsWith('scripts/build/')));
  expect([...missing]).toEqual([]);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  for (const name of ['serve', 'migrate', 'ledger', 'admin', 'secrets', 'rail', 'backup', 'restore'])
    expect(files, name).toContain(/\S+\.ts$/.exec(scripts[name]!)![0]);
});

test('secrets in the folder that compose.yml names are in no release, image or commit [OB-08]', async () => {
  const [, name] = /mkdir -m 700 (\w+)$/m.exec(read('deploy/docker/compose.yml'))!;
  const sources = join(folder, 'sources');
  mkdirSync(sources);
  for (const other of readdirSync(root))
    if (other !== 'deploy') symlinkSync(join(root, other), join(sources, other));
  mkdirSync(join(sources, 'deploy/docker', name!), { recursive: true });
  writeFileSync(join(sources, 'deploy/docker', name!, 'app-secret'), 'secret');
  expect(read('.gitignore')).toContain(`\ndeploy/docker/${name}/\n`);
  expect(read('deploy/docker/Dockerfile.dockerignore')).toContain(`\n**/${name}\n`);
  const files = (await readReleaseFiles(sources, writeBuild('three', 1_500_000_000))).map(
    entry => entry.name,
  );
  expect(files).toContain('src/server/secrets.ts');
  expect(files.filter(file => file.startsWith('deploy/'))).toEqual([]);
});

test('the tracing libraries are imported by one module, which is loaded on demand [OB-01]', () => {
  const sources = readdirSync(join(unpacked, 'src'), { recursive: true, encoding: 'utf8' }).filter(file =>
    file.endsWith('.ts'),
  );
  const filesWith = (pattern: RegExp) =>
    sources.filter(file => pattern.test(readFileSync(join(unpacked, 'src', file), 'utf8')));
  expect(filesWith(/from '@opentelemetry\//)).toEqual([join('server', 'outside', 'tracing.ts')]);
  expect(filesWith(/import\('\.\/outside\/tracing\.ts'\)/)).toEqual([join('server', 'bank.ts')]);
  expect(filesWith(/from '[^']*\/tracing\.ts'/)).toEqual([]);
});

test('the runbook has a section for each alert, in the same order, and each alert is a page or a ticket [OB-05]', () => {
  const sections = [...read('docs/runbook.md').matchAll(/^## (Larkspur\w+)$/gm)].map(([, name]) => name);
  expect(alerts.length).toBeGreaterThan(10);
  expect(sections).toEqual(alerts.map(({ alert }) => alert));
  expect(alerts.filter(({ labels }) => !['page', 'ticket'].includes(labels.severity))).toEqual([]);
});

test('Prometheus accepts the alerts, and they fire when they should [OB-05]', context => {
  needs('promtool', context);
  expect(run('promtool', ['check', 'rules', 'alerts.yml'], observability)).toContain(
    `${alerts.length} rules found`,
  );
  expect(run('promtool', ['test', 'rules', 'alerts.test.yml'], observability)).toContain('SUCCESS');
});

/** The names of the settings in a text. */
const settingsOf = (text: string) => [
  ...new Set(
    [...text.matchAll(/\b([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|PORT|HOST|JOBS|DEMO)\b/g)].map(([, n]) => n!),
  ),
];
const known = new Set(
  [...read('docs/operations.md').matchAll(/`([A-Z][A-Z0-9_]+)`/g)]
    .map(([, name]) => name!)
    .flatMap(name => [name, `${name}_FILE`]),
);
/** Names that belong to other programs. */
const foreign =
  /^(POSTGRES_\w+|CAP_\w+|AF_\w+|NODE_\w+|SOURCE_DATE_EPOCH|SYS_\w+|CREDENTIALS_DIRECTORY|PGDATA)$/;

const packages = [
  'deploy/docker/Dockerfile',
  'deploy/docker/compose.yml',
  'deploy/systemd/larkspur.service',
  'deploy/systemd/larkspur.env',
  'deploy/helm/larkspur/values.yaml',
  'deploy/helm/larkspur/templates/server.yaml',
];

test.each(packages)('%s sets only settings that exist, and no secret as a value [OB-07]', file => {
  const names = settingsOf(read(file).replace(/^\s*#.*$/gm, ''));
  expect(names.filter(name => !known.has(name) && !foreign.test(name))).toEqual([]);
  expect(names.filter(name => (secretSettings as readonly string[]).includes(name))).toEqual([]);
});

test('image and unit start the server with the options of npm run serve [OB-07]', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { serve: string } };
  const options = scripts.serve.split(' ').filter(word => word.startsWith('--'));
  expect(options).not.toEqual([]);
  for (const file of ['deploy/docker/Dockerfile', 'deploy/systemd/larkspur.service'])
    for (const option of options) expect(read(file)).toContain(option);
});

test('systemd accepts the unit, and its exposure is low [OB-07]', context => {
  needs('systemd-analyze', context);
  const unit = read('deploy/systemd/larkspur.service');
  // The program of ExecStart is not installed on this machine.
  writeFileSync(join(folder, 'larkspur.service'), unit.replace(/^ExecStart=.*$/m, 'ExecStart=/bin/true'));
  expect(run('systemd-analyze', ['verify', '--man=no', 'larkspur.service'], folder)).toBe('');
  // Exposure of at most 1.5 (the threshold is in tenths). Access to the network alone adds 1.0.
  run('systemd-analyze', ['security', '--offline=true', '--threshold=15', 'larkspur.service'], folder);
});

/** Writes a certificate, and a copy of `deploy/docker/haproxy.cfg` that uses it. Returns the text of the copy. */
function writeProxyFiles(context: TestContext): string {
  needs('openssl', context);
  needs('haproxy', context, '-v');
  run(
    'openssl',
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=bank.example -keyout key -out bank.pem'.split(
      ' ',
    ),
    folder,
  );
  writeFileSync(
    join(folder, 'bank.pem'),
    readFileSync(join(folder, 'key'), 'utf8') + readFileSync(join(folder, 'bank.pem'), 'utf8'),
  );
  const configuration = read('deploy/docker/haproxy.cfg').replace('/run/secrets/', `${folder}/`);
  writeFileSync(join(folder, 'haproxy.cfg'), configuration);
  return configuration;
}

test('HAProxy accepts deploy/docker/haproxy.cfg [OB-07]', context => {
  writeProxyFiles(context);
  expect(run('haproxy', ['-c', '-f', 'haproxy.cfg'], folder)).toContain('Configuration file is valid');
});

test('a client with many HTTP/2 requests does not take all of HAProxy’s connections [OB-07]', async context => {
  const configuration = writeProxyFiles(context);
  let waiting = 0;
  const server = createServer((request, response) => {
    if (request.url === '/readyz') response.end();
    else waiting++;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: serverPort } = server.address() as AddressInfo;
  const [http, https] = [await reservePort('127.0.0.1'), await reservePort('127.0.0.1')];
  await Promise.all([http.release(), https.release()]);
  // 20,000 connections need 40,000 open files, which this machine may not allow.
  const local = configuration
    .replace('maxconn 20000', 'maxconn 2000')
    .replace('bind :80', `bind 127.0.0.1:${http.port}`)
    .replace('bind :443', `bind 127.0.0.1:${https.port}`)
    .replace(/server-template .*/, `server bank 127.0.0.1:${serverPort}`);
  writeFileSync(join(folder, 'haproxy.cfg'), local);
  const proxy = spawn('haproxy', ['-db', '-f', 'haproxy.cfg'], { cwd: folder, stdio: 'ignore' });
  const clients: ClientHttp2Session[] = [];
  let refused = 0;
  const send = (localAddress: string) => {
    const socket = connectTls({
      socket: connect({ port: https.port, host: '127.0.0.1', localAddress }),
      ALPNProtocols: ['h2'],
      rejectUnauthorized: false,
    });
    const client = connectHttp2('https://bank.example', { createConnection: () => socket });
    clients.push(client.on('error', () => {}));
    for (let n = 0; n < 100; n++)
      client
        .request({ ':path': '/about' })
        .on('response', ({ ':status': status }) => {
          if (status === 429) refused++;
        })
        .on('error', () => {});
  };
  try {
    await eventually(async () => {
      const accepts = await fetch(`http://127.0.0.1:${http.port}/`, { redirect: 'manual' }).catch(
        () => undefined,
      );
      return accepts?.status === 308 || undefined;
    });
    for (let connection = 0; connection < 7; connection++) send('127.0.0.1');
    await eventually(async () => waiting + refused === 700 || undefined);
    expect(waiting).toBeLessThanOrEqual(500);
    const others = waiting + 100;
    send('127.0.0.2');
    await eventually(async () => waiting === others || undefined);
  } finally {
    for (const client of clients) client.destroy();
    proxy.kill();
    server.closeAllConnections();
    server.close();
  }
});

type Values = { [name: string]: unknown };

/** Renders a template of the chart as Helm would. Throws if a value is missing, or for syntax that the chart does not use. */
function render(template: string, values: Values): unknown[] {
  const find = (path: string): unknown => {
    const found = path
      .slice(1)
      .split('.')
      .reduce<unknown>((value, name) => (value as Values | undefined)?.[name], values);
    if (found === undefined) throw new Error(`The values have no ${path}.`);
    return found;
  };
  const text = read(`deploy/helm/larkspur/templates/${template}`).replace(
    /\s*\{\{- toYaml (\S+) \| nindent (\d+) \}\}|\{\{ (\S+) \}\}/g,
    (_, block: string, indent: string, path: string) =>
      path
        ? String(find(path))
        : `\n${stringify(find(block))
            .trimEnd()
            .replace(/^/gm, ' '.repeat(Number(indent)))}`,
  );
  if (text.includes('{{')) throw new Error(`Not rendered: ${/\{\{.*/.exec(text)![0]}`);
  return parseAllDocuments(text, { strict: true }).map(document => {
    expect(document.errors).toEqual([]);
    return document.toJS() as unknown;
  });
}

test('the chart runs servers without root, on a read-only file system, with secrets as files [OB-07]', () => {
  const Values = parse(read('deploy/helm/larkspur/values.yaml')) as Values;
  const values = { Values, Release: { Name: 'bank' } };
  const server = render('server.yaml', values) as { kind: string; data?: Values; spec: unknown }[];
  expect(server.map(({ kind }) => kind)).toEqual([
    'ConfigMap',
    'PersistentVolumeClaim',
    'Deployment',
    'Service',
    'PodDisruptionBudget',
  ]);
  expect(server[0]!.data).toEqual(Values.settings);
  expect(server[2]).toMatchObject({
    spec: {
      replicas: 2,
      template: {
        spec: {
          securityContext: { runAsNonRoot: true, runAsUser: 10001 },
          containers: [
            {
              envFrom: [{ configMapRef: { name: 'bank-settings' } }],
              securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
              resources: Values.resources,
            },
          ],
        },
      },
    },
  });
  const pod = (server[2]!.spec as { template: { spec: Pod } }).template.spec;
  const [container] = pod.containers;
  expect(container!.volumeMounts.map(({ name }) => name)).toEqual(pod.volumes.map(({ name }) => name));
  const mounts = container!.volumeMounts.map(({ mountPath }) => mountPath);
  for (const { name, value } of container!.env) {
    expect(name).toMatch(/_FILE$/);
    expect(mounts, name).toContain(posix.dirname(value));
  }
  expect(render('database.yaml', values)).toMatchObject([{ kind: 'Cluster', spec: { instances: 3 } }]);
  expect(() => render('server.yaml', { ...values, Values: {} })).toThrow('The values have no .Values.');
});

type Pod = {
  containers: {
    env: { name: string; value: string }[];
    volumeMounts: { name: string; mountPath: string }[];
  }[];
  volumes: { name: string }[];
};

test('in Docker, server and proxy are read-only and without capabilities, and each secret is a file of compose.yml [OB-07]', () => {
  const compose = parse(read('deploy/docker/compose.yml'), { merge: true }) as {
    services: Record<'bank' | 'proxy', Service>;
    secrets: Record<string, unknown>;
  };
  for (const service of [compose.services.bank, compose.services.proxy])
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
  const { environment, secrets } = compose.services.bank;
  for (const [name, path] of Object.entries(environment).filter(([key]) => key.endsWith('_FILE'))) {
    expect(path, name).toMatch(/^\/run\/secrets\//);
    expect(secrets, name).toContain(posix.basename(path));
    expect(Object.keys(compose.secrets)).toContain(posix.basename(path));
  }
  const image = read('deploy/docker/Dockerfile');
  expect(image).toMatch(/^USER 10001:10001$/m);
  expect(image).toMatch(/^HEALTHCHECK /m);
});

type Service = { environment: Record<string, string>; secrets: string[] };
