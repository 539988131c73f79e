/** Reads the settings from the environment, once. `docs/operations.md` describes each of them. */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { bank, externalTransfer, password as passwordLength, staff, stepUp } from '#contract/constants.ts';
import { email as emailRule } from '#contract/fields.ts';
import * as insuranceMessages from '#contract/messages/insurance.ts';
import { dollarsToCents, typedToCents } from '#contract/money.ts';
import { type RailFormat, railFormats } from '#contract/rail.ts';
import { adminPassword as passwordRule } from '#contract/staff.ts';
import { type BankDirectory, readRouting } from './base/routingNumbers.ts';

/** A limit because each worker opens up to 34 connections to PostgreSQL. */
const maxWorkers = 32;
/** Enough for two sentences. */
const maxNoticeLength = 300;

/** Each of these settings can also be given in a file, whose path is the setting `<name>_FILE`. */
export const secretSettings = [
  'APP_SECRET',
  'APP_SECRET_PREVIOUS',
  'ADMIN_PASSWORD',
  'DATABASE_URL',
  'SMTP_URL',
  'METRICS_TOKEN',
  'AUDIT_ANCHOR_URL',
  'FILES_ACCESS_KEY_ID',
  'FILES_SECRET_ACCESS_KEY',
] as const;

/** The push services of Chrome, Firefox, Safari and Edge. */
const browserPushServices =
  'fcm.googleapis.com,updates.push.services.mozilla.com,*.push.apple.com,*.notify.windows.com';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** An S3-compatible store. `prefix`: empty, or ends with a slash. */
export type FilesUrl = {
  endpoint: string;
  bucket: string;
  prefix: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
};

export type Config = {
  port: number;
  host: string;
  /** How many processes of this server answer requests. With more than one, a primary process starts them. */
  workers: number;
  /** Absolute path. All local state is stored in it. */
  dataDir: string;
  /** If set, pictures, people's encryption keys and copies of data are in this store instead of `dataDir`. */
  filesUrl: FilesUrl | undefined;
  /** If set, the bank uses this PostgreSQL and runs in production mode. Otherwise it uses the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  /** Absolute path of the folder for backups of the embedded bank. If set, the server copies the write-ahead log there. */
  backupDir: string | undefined;
  smtpUrl: string | undefined;
  mailFrom: string;
  demo: boolean;
  adminEmail: string | undefined;
  adminPassword: string | undefined;
  /** Whether administrators may or must have an authenticator app or a passkey. */
  adminSecondFactor: 'offered' | 'required';
  /** Key material. In local mode the server generates and stores its own if this is unset. */
  appSecret: string | undefined;
  /** Secrets from before the current one. Data that was encrypted with them can still be read. */
  formerAppSecrets: string[];
  /** Origin for mails and links. In local mode it is unset until the port is known. */
  publicUrl: string | undefined;
  /** What the site says about deposit insurance. */
  insuranceNotice: string;
  rateLimits: boolean;
  metricsToken: string | undefined;
  /** Hosts (`*.`: every subdomain) or origins of the services that may deliver push notifications. If empty, none are sent. */
  pushServices: string[];
  /** Receives the heads of the audit chain. */
  auditAnchorUrl: string | undefined;
  production: boolean;
  /** Whether this process runs jobs. A bank may run separate processes for requests and for jobs. */
  jobs: boolean;
  /** Length of a business day of the payment rail. If it is the length of a real day, weekends and holidays are skipped. */
  railDaySeconds: number;
  /** The format in which payments leave. */
  railFormat: RailFormat;
  /** The bank's own routing number. */
  routingNumber: string;
  /** The banks that payments reach; undefined: the sandbox's other bank receives every payment. */
  railDirectory: BankDirectory | undefined;
  /** The smallest credit, reversal or payout inside the bank that needs a second person; null: none. An owner can change it. */
  fourEyesFromCents: bigint | null;
  /** From this amount on, a customer's transfer needs a step-up; undefined: only the customer's own limits decide. */
  stepUpFromCents: bigint | undefined;
  /** For how many years identification data is kept after an account was closed; 0: it is erased at once. */
  retentionYears: number;
  /** Addresses and networks of the proxies whose `X-Forwarded-For` is trusted. */
  trustProxy: string[];
  logLevel: (typeof logLevels)[number];
  /** The collector of traces (OTLP over HTTP); undefined: none are made. */
  otlpEndpoint: string | undefined;
  /** The share of requests that are traced, from 0 to 1. */
  traceShare: number;
};

/** A missing or invalid setting. The message is for the person who starts the server. */
export class SettingsError extends Error {}

/** Whether mail goes to the embedded inbox. */
export const hasInbox = ({ smtpUrl, production }: Pick<Config, 'smtpUrl' | 'production'>): boolean =>
  smtpUrl === undefined && !production;

/** Reads the settings that are given. Throws `SettingsError` listing every invalid one. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { config, wrong } = read(env);
  if (wrong.length > 0) throw new SettingsError(wrong.join('\n'));
  return config;
}

/** `readConfig` for a server. The `SettingsError` also lists every required setting that is missing. */
export function readServerConfig(env: NodeJS.ProcessEnv): Config {
  const { config, wrong } = read(env);
  const errors = [...listMissing(config), ...wrong];
  if (errors.length > 0) throw new SettingsError(errors.join('\n'));
  return config;
}

function read(given: NodeJS.ProcessEnv): { config: Config; wrong: string[] } {
  const wrong: string[] = [];
  const env = readSecretFiles(given, wrong);
  const text = (name: string) => env[name]?.trim() || undefined;
  const flag = (name: string, byDefault: boolean, on: string, off: string) => {
    const value = text(name);
    if (value === undefined) return byDefault;
    if (value !== on && value !== off) wrong.push(`${name} must be ${on} or ${off}, not '${value}'.`);
    return value === on;
  };
  const databaseUrl = text('DATABASE_URL');
  const production = databaseUrl !== undefined;
  const backupDir = text('BACKUP_DIR');
  if (production && backupDir !== undefined)
    wrong.push(
      'BACKUP_DIR is for the embedded database only: back up the PostgreSQL of DATABASE_URL with its own tools.',
    );
  const filesUrl = readFilesUrl(
    { url: text('FILES_URL'), keyId: text('FILES_ACCESS_KEY_ID'), secret: text('FILES_SECRET_ACCESS_KEY') },
    wrong,
  );
  const portText = text('PORT') ?? '3000';
  const port = Number(portText);
  if (!/^\d{1,5}$/.test(portText) || port > 65_535)
    wrong.push(`PORT must be a number from 0 to 65535, not '${portText}'.`);
  const workersText = text('WORKERS') ?? '1';
  const workers = Number(workersText);
  if (!/^\d{1,2}$/.test(workersText) || workers < 1 || workers > maxWorkers)
    wrong.push(`WORKERS must be a number from 1 to ${maxWorkers}, not '${workersText}'.`);
  const publicUrl = text('PUBLIC_URL')?.replace(/\/+$/, '');
  if (publicUrl !== undefined && !/^https?:\/\/[^/\s]+$/.test(publicUrl)) {
    wrong.push('PUBLIC_URL must be an origin such as https://bank.example, without a path.');
  }
  if (production && publicUrl?.startsWith('http:') && !isLoopback(publicUrl))
    wrong.push('PUBLIC_URL must start with https:// unless its host is this machine (localhost, 127.0.0.1).');
  const appSecret = text('APP_SECRET');
  const formerAppSecrets = listOf(text('APP_SECRET_PREVIOUS'));
  if (appSecret === undefined && formerAppSecrets.length > 0)
    wrong.push('APP_SECRET_PREVIOUS is set without APP_SECRET: give the current secret too.');
  for (const [name, secret] of [
    ['APP_SECRET', appSecret] as const,
    ...formerAppSecrets.map(secret => ['APP_SECRET_PREVIOUS', secret] as const),
  ]) {
    if (secret !== undefined && secret.length < 32)
      wrong.push(`${name} is too short: 32 characters or more.`);
    else if (secret !== undefined && new Set(secret).size === 1)
      wrong.push(`${name} is one repeated character: make a random one, as with openssl rand -base64 32.`);
  }
  if (appSecret !== undefined && formerAppSecrets.includes(appSecret))
    wrong.push('APP_SECRET_PREVIOUS contains APP_SECRET: list former secrets only.');
  const adminEmail = text('ADMIN_EMAIL')?.toLowerCase();
  if (adminEmail !== undefined && !z.safeParse(emailRule, adminEmail).success)
    wrong.push(`ADMIN_EMAIL must be one plain email address, not '${adminEmail}'.`);
  // Not trimmed: a login does not trim the password either.
  const adminPassword = text('ADMIN_PASSWORD') && env.ADMIN_PASSWORD;
  if (adminPassword !== undefined && !z.safeParse(passwordRule, adminPassword).success) {
    const { adminMinCharacters, adminMaxCharacters } = passwordLength;
    wrong.push(`ADMIN_PASSWORD must have ${adminMinCharacters} to ${adminMaxCharacters} characters.`);
  }
  const auditAnchorUrl = text('AUDIT_ANCHOR_URL');
  const anchor = URL.parse(auditAnchorUrl ?? 'https://anchors.example');
  // `fetch` refuses an address with a password, and its error would write the password to the log.
  if (!/^https?:$/.test(anchor?.protocol ?? '') || anchor!.username + anchor!.password !== '')
    wrong.push(
      'AUDIT_ANCHOR_URL must be an address such as https://anchors.example/larkspur, without a password.',
    );
  const otlpEndpoint = text('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (otlpEndpoint !== undefined && !/^https?:$/.test(URL.parse(otlpEndpoint)?.protocol ?? ''))
    wrong.push('OTEL_EXPORTER_OTLP_ENDPOINT must be an address such as http://127.0.0.1:4318.');
  const shareText = text('OTEL_TRACES_SAMPLER_ARG') ?? '1';
  const traceShare = Number(shareText);
  if (!/^\d(\.\d+)?$/.test(shareText) || traceShare > 1)
    wrong.push(`OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1, not '${shareText}'.`);
  const pushText = text('PUSH_SERVICES') ?? browserPushServices;
  const pushServices = pushText === 'off' ? [] : listOf(pushText);
  const invalidService = pushServices.find(
    one => !/^(\*\.)?[a-z0-9.-]+$/i.test(one) && !(URL.canParse(one) && isLoopback(one) && !production),
  );
  if (invalidService !== undefined)
    wrong.push(`PUSH_SERVICES must list hosts such as *.push.apple.com, or be off, not '${invalidService}'.`);
  const trustProxy = listOf(text('TRUST_PROXY'));
  const invalidProxy = trustProxy.find(one => !isNetwork(one));
  if (invalidProxy !== undefined)
    wrong.push(`TRUST_PROXY must list addresses or networks such as 10.0.0.0/8, not '${invalidProxy}'.`);
  // In production every request is logged. A local bank logs only problems, so that its addresses stay visible in the terminal.
  const logLevelText = text('LOG_LEVEL') ?? (production ? 'info' : 'warn');
  const logLevel = logLevels.find(level => level === logLevelText);
  if (logLevel === undefined)
    wrong.push(`LOG_LEVEL must be one of ${logLevels.join(', ')}, not '${logLevelText}'.`);
  const insuranceNotice = text('INSURANCE_NOTICE');
  if (
    insuranceNotice !== undefined &&
    (insuranceNotice.length > maxNoticeLength || /\p{C}/u.test(insuranceNotice))
  )
    wrong.push(`INSURANCE_NOTICE must be one line of at most ${maxNoticeLength} characters.`);
  const demo = flag('DEMO', !production, '1', '0');
  const { daySeconds, demoDaySeconds } = externalTransfer;
  const railDayText = text('RAIL_DAY_SECONDS') ?? String(demo ? demoDaySeconds : daySeconds);
  const railDaySeconds = Number(railDayText);
  if (!/^\d+(\.\d+)?$/.test(railDayText) || railDaySeconds <= 0 || railDaySeconds > daySeconds)
    wrong.push(`RAIL_DAY_SECONDS must be seconds above 0 and up to ${daySeconds}, not '${railDayText}'.`);
  const railFormatText = text('RAIL_FORMAT') ?? railFormats[0];
  const railFormat = railFormats.find(name => name === railFormatText);
  if (railFormat === undefined)
    wrong.push(`RAIL_FORMAT must be ${railFormats.join(' or ')}, not '${railFormatText}'.`);
  const fourEyesText = text('FOUR_EYES_FROM') ?? String(staff.fourEyesFromDollars);
  const fourEyesFromCents = fourEyesText === 'off' ? null : (typedToCents(fourEyesText) ?? 0n);
  if (fourEyesFromCents !== null && (fourEyesFromCents <= 0n || fourEyesFromCents > 10n ** 14n))
    wrong.push(`FOUR_EYES_FROM must be dollars above 0, or off, not '${fourEyesText}'.`);
  const stepUpText = text('STEP_UP_FROM') ?? String(stepUp.fromDollars);
  const stepUpFromCents = dollarsToCents(Number(stepUpText));
  if (stepUpText !== 'off' && (!/^\d+(\.\d+)?$/.test(stepUpText) || !stepUpFromCents))
    wrong.push(`STEP_UP_FROM must be dollars above 0, or off, not '${stepUpText}'.`);
  const retentionText = text('RETENTION_YEARS') ?? '0';
  const retentionYears = Number(retentionText);
  if (!/^\d{1,2}$/.test(retentionText))
    wrong.push(`RETENTION_YEARS must be whole years from 0 to 99, not '${retentionText}'.`);
  const config: Config = {
    port,
    // For `localhost`, Fastify would open another server on ::1, without our limits on bodies and without our other listeners.
    host: text('HOST')?.replace(/^localhost$/, '127.0.0.1') ?? '127.0.0.1',
    workers,
    dataDir: resolve(text('DATA_DIR') ?? 'data'),
    filesUrl,
    databaseUrl,
    backupDir: backupDir === undefined ? undefined : resolve(backupDir),
    smtpUrl: text('SMTP_URL'),
    mailFrom: text('MAIL_FROM') ?? `${bank.name} <no-reply@${bank.supportEmail.split('@')[1]}>`,
    demo,
    adminEmail,
    adminPassword,
    adminSecondFactor: flag('ADMIN_SECOND_FACTOR', production, 'required', 'offered')
      ? 'required'
      : 'offered',
    appSecret,
    formerAppSecrets,
    publicUrl,
    insuranceNotice: insuranceNotice ?? insuranceMessages.noInsurance,
    rateLimits: flag('RATE_LIMITS', true, 'on', 'off'),
    metricsToken: text('METRICS_TOKEN'),
    pushServices,
    auditAnchorUrl,
    production,
    jobs: flag('JOBS', true, 'on', 'off'),
    railDaySeconds,
    railFormat: railFormat ?? 'iso20022',
    ...readRouting(text('ROUTING_NUMBER') ?? bank.routingNumber, text('RAIL_DIRECTORY'), wrong),
    fourEyesFromCents,
    stepUpFromCents: stepUpText === 'off' ? undefined : stepUpFromCents,
    retentionYears,
    trustProxy,
    logLevel: logLevel ?? 'warn',
    otlpEndpoint,
    traceShare,
  };
  return { config, wrong };
}

/** The store of `FILES_URL`, such as `s3://bucket/prefix?region=us-east-1`. Adds to `wrong` what is invalid or missing. */
function readFilesUrl(
  { url, keyId, secret }: { url: string | undefined; keyId: string | undefined; secret: string | undefined },
  wrong: string[],
): FilesUrl | undefined {
  if (url === undefined) return undefined;
  const parsed = URL.parse(url);
  const region = parsed?.searchParams.get('region') ?? 'us-east-1';
  const endpoint = (parsed?.searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`).replace(
    /\/+$/,
    '',
  );
  const path = parsed?.pathname.replace(/^\/+|\/+$/g, '') ?? '';
  const isKnown = [...(parsed?.searchParams.keys() ?? [])].every(name =>
    ['endpoint', 'region'].includes(name),
  );
  if (
    parsed?.protocol !== 's3:' ||
    parsed.username + parsed.password !== '' ||
    !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(parsed.host) ||
    !/^[\w./-]*$/.test(path) ||
    !/^[\w-]+$/.test(region) ||
    !/^https?:\/\/[^/\s@]+$/.test(endpoint) ||
    !isKnown
  )
    wrong.push(
      'FILES_URL must be an address such as s3://bucket/prefix?endpoint=https://store.example&region=us-east-1, without credentials.',
    );
  if (keyId === undefined || secret === undefined) {
    wrong.push('FILES_ACCESS_KEY_ID and FILES_SECRET_ACCESS_KEY are required with FILES_URL.');
    return undefined;
  }
  const prefix = path === '' ? '' : `${path}/`;
  return {
    endpoint,
    bucket: parsed?.host ?? '',
    prefix,
    region,
    accessKeyId: keyId,
    secretAccessKey: secret,
  };
}

/** The settings, including those that are given as files. Adds a sentence to `wrong` for each file that cannot be used. */
function readSecretFiles(env: NodeJS.ProcessEnv, wrong: string[]): NodeJS.ProcessEnv {
  const read = { ...env };
  for (const name of secretSettings) {
    const file = env[`${name}_FILE`]?.trim();
    if (!file) continue;
    if (env[name]?.trim()) {
      wrong.push(`${name} and ${name}_FILE are both set: set one of them.`);
      continue;
    }
    try {
      // Editors add a newline at the end of a file.
      read[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
      if (!read[name].trim()) wrong.push(`${name}_FILE names an empty file.`);
    } catch (error) {
      wrong.push(`${name}_FILE cannot be read: ${(error as Error).message}`);
    }
  }
  return read;
}

/** Splits a text at its commas, trims the items and drops empty ones. */
const listOf = (text = ''): string[] => text.split(',').flatMap(one => one.trim() || []);

/** Whether an origin names this machine. */
function isLoopback(origin: string): boolean {
  const hostname = URL.canParse(origin) ? new URL(origin).hostname : '';
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Whether a text is an IP address, or a network in CIDR notation. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** A message for each required setting that is missing. */
function listMissing(config: Config): string[] {
  const missing: string[] = [];
  const need = (value: string | undefined, name: string, why: string) => {
    if (value === undefined) missing.push(`${name} is missing: ${why}`);
  };
  if (config.production) {
    need(
      config.appSecret,
      'APP_SECRET',
      'with DATABASE_URL the key material must be given (32 random characters or more).',
    );
    need(config.publicUrl, 'PUBLIC_URL', 'with DATABASE_URL the origin for links must be given.');
    need(config.smtpUrl, 'SMTP_URL', 'with DATABASE_URL mail must go to a real server.');
  }
  // The demo administrator's password is public, so a database that others can reach needs its own administrator, even with
  // demo data.
  if (config.production || !config.demo) {
    need(
      config.adminEmail,
      'ADMIN_EMAIL',
      'with DATABASE_URL or without demo data the first administrator must be named.',
    );
    need(
      config.adminPassword,
      'ADMIN_PASSWORD',
      'with DATABASE_URL or without demo data the first administrator needs a password.',
    );
  }
  return missing;
}
