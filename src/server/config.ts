/** The environment, read once. What stands here is the run contract; every setting is described in `docs/operations.md`. */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { adminPassword as passwordRule } from '#contract/admin.ts';
import { bank, externalTransfer, password as passwordLength } from '#contract/constants.ts';
import { email as emailRule } from '#contract/fields.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type Config = {
  port: number;
  host: string;
  /** Absolute. All local state lives below it. */
  dataDir: string;
  /** Set: that PostgreSQL is used and the product is in production mode. Unset: the embedded one. */
  databaseUrl: string | undefined;
  smtpUrl: string | undefined;
  mailFrom: string;
  demo: boolean;
  adminEmail: string | undefined;
  adminPassword: string | undefined;
  /** Key material as given; in local mode the server makes and keeps its own. */
  appSecret: string | undefined;
  /** Origin used in mails and links. Unset in local mode until the port is known. */
  publicUrl: string | undefined;
  rateLimits: boolean;
  metricsToken: string | undefined;
  production: boolean;
  /** Whether this process works on jobs; a bank may run processes for calls and processes for jobs. */
  jobs: boolean;
  /** How long a business day of the sandbox payment rail takes; a real day keeps the calendar too. */
  railDaySeconds: number;
  /** Addresses and networks of the proxies whose `X-Forwarded-For` is believed. */
  trustProxy: string[];
  logLevel: (typeof logLevels)[number];
};

/** A setting that is missing or senseless; its message is a sentence for the person who starts the server. */
export class SettingsError extends Error {}

/** Reads the settings, as far as they are given. Throws `SettingsError` naming every one that is wrong. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { config, wrong } = read(env);
  if (wrong.length > 0) throw new SettingsError(wrong.join('\n'));
  return config;
}

/** `readConfig` for whoever serves people. Throws `SettingsError` naming every one that is missing, too. */
export function readServerConfig(env: NodeJS.ProcessEnv): Config {
  const { config, wrong } = read(env);
  const complaints = [...listMissing(config), ...wrong];
  if (complaints.length > 0) throw new SettingsError(complaints.join('\n'));
  return config;
}

function read(env: NodeJS.ProcessEnv): { config: Config; wrong: string[] } {
  const wrong: string[] = [];
  const text = (name: string) => env[name]?.trim() || undefined;
  const flag = (name: string, byDefault: boolean, on: string, off: string) => {
    const value = text(name);
    if (value === undefined) return byDefault;
    if (value !== on && value !== off) wrong.push(`${name} must be ${on} or ${off}, not '${value}'.`);
    return value === on;
  };
  const databaseUrl = text('DATABASE_URL');
  const production = databaseUrl !== undefined;
  const portText = text('PORT') ?? '3000';
  const port = Number(portText);
  if (!/^\d{1,5}$/.test(portText) || port > 65_535)
    wrong.push(`PORT must be a number from 0 to 65535, not '${portText}'.`);
  const publicUrl = text('PUBLIC_URL')?.replace(/\/+$/, '');
  if (publicUrl !== undefined && !/^https?:\/\/[^/\s]+$/.test(publicUrl)) {
    wrong.push('PUBLIC_URL must be an origin such as https://bank.example, without a path.');
  }
  const appSecret = text('APP_SECRET');
  if (appSecret !== undefined && appSecret.length < 32)
    wrong.push('APP_SECRET is too short: 32 characters or more.');
  const adminEmail = text('ADMIN_EMAIL')?.toLowerCase();
  if (adminEmail !== undefined && !z.safeParse(emailRule, adminEmail).success)
    wrong.push(`ADMIN_EMAIL must be one plain email address, not '${adminEmail}'.`);
  // As it is given: a login does not trim what somebody types either.
  const adminPassword = text('ADMIN_PASSWORD') && env.ADMIN_PASSWORD;
  if (adminPassword !== undefined && !z.safeParse(passwordRule, adminPassword).success) {
    const { adminMinCharacters, adminMaxCharacters } = passwordLength;
    wrong.push(`ADMIN_PASSWORD must have ${adminMinCharacters} to ${adminMaxCharacters} characters.`);
  }
  const trustProxy = (text('TRUST_PROXY') ?? '').split(',').flatMap(one => one.trim() || []);
  const noProxy = trustProxy.find(one => !isNetwork(one));
  if (noProxy !== undefined)
    wrong.push(`TRUST_PROXY must list addresses or networks such as 10.0.0.0/8, not '${noProxy}'.`);
  const logLevelText = text('LOG_LEVEL') ?? 'warn';
  const logLevel = logLevels.find(level => level === logLevelText);
  if (logLevel === undefined)
    wrong.push(`LOG_LEVEL must be one of ${logLevels.join(', ')}, not '${logLevelText}'.`);
  const demo = flag('DEMO', !production, '1', '0');
  const { daySeconds, demoDaySeconds } = externalTransfer;
  const railDayText = text('RAIL_DAY_SECONDS') ?? String(demo ? demoDaySeconds : daySeconds);
  const railDaySeconds = Number(railDayText);
  if (!/^\d+(\.\d+)?$/.test(railDayText) || railDaySeconds <= 0 || railDaySeconds > daySeconds)
    wrong.push(`RAIL_DAY_SECONDS must be seconds above 0 and up to ${daySeconds}, not '${railDayText}'.`);
  const config: Config = {
    port,
    host: text('HOST') ?? '127.0.0.1',
    dataDir: resolve(text('DATA_DIR') ?? 'data'),
    databaseUrl,
    smtpUrl: text('SMTP_URL'),
    mailFrom: text('MAIL_FROM') ?? `${bank.name} <no-reply@${bank.supportEmail.split('@')[1]}>`,
    demo,
    adminEmail,
    adminPassword,
    appSecret,
    publicUrl,
    rateLimits: flag('RATE_LIMITS', true, 'on', 'off'),
    metricsToken: text('METRICS_TOKEN'),
    production,
    jobs: flag('JOBS', true, 'on', 'off'),
    railDaySeconds,
    trustProxy,
    logLevel: logLevel ?? 'warn',
  };
  return { config, wrong };
}

/** An address, or one with the number of bits that its network has in common. */
function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** What a server cannot do without, a sentence each. */
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
  // The administrator of the demonstration is published: never on a database that others reach, demo people or not.
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
