/** The environment, read once. What stands here is the run contract; every setting is described in `docs/operations.md`. */
import { resolve } from 'node:path';

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
};

/** A setting that is missing or senseless; its message is a sentence for the person who starts the server. */
export class SettingsError extends Error {}

/** Reads the settings. Throws `SettingsError` naming every one that is missing or wrong. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
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
  const demo = flag('DEMO', !production, '1', '0');
  const publicUrl = text('PUBLIC_URL')?.replace(/\/+$/, '');
  if (publicUrl !== undefined && !/^https?:\/\/[^/\s]+$/.test(publicUrl)) {
    wrong.push('PUBLIC_URL must be an origin such as https://bank.example, without a path.');
  }
  const config: Config = {
    port,
    host: text('HOST') ?? '127.0.0.1',
    dataDir: resolve(text('DATA_DIR') ?? 'data'),
    databaseUrl,
    smtpUrl: text('SMTP_URL'),
    mailFrom: text('MAIL_FROM') ?? 'Larkspur Bank <no-reply@larkspur.example>',
    demo,
    adminEmail: text('ADMIN_EMAIL')?.toLowerCase(),
    adminPassword: text('ADMIN_PASSWORD'),
    appSecret: text('APP_SECRET'),
    publicUrl,
    rateLimits: flag('RATE_LIMITS', true, 'on', 'off'),
    metricsToken: text('METRICS_TOKEN'),
    production,
    jobs: flag('JOBS', true, 'on', 'off'),
  };
  const missing = (name: string, why: string) => wrong.push(`${name} is missing: ${why}`);
  if (production) {
    if (!config.appSecret)
      missing(
        'APP_SECRET',
        'with DATABASE_URL the key material must be given (32 random characters or more).',
      );
    if (!config.publicUrl) missing('PUBLIC_URL', 'with DATABASE_URL the origin for links must be given.');
    if (!config.smtpUrl) missing('SMTP_URL', 'with DATABASE_URL mail must go to a real server.');
  }
  if (config.appSecret && config.appSecret.length < 32)
    wrong.push('APP_SECRET is too short: 32 characters or more.');
  if (!demo) {
    if (!config.adminEmail)
      missing('ADMIN_EMAIL', 'without demo data the first administrator must be named.');
    if (!config.adminPassword)
      missing('ADMIN_PASSWORD', 'without demo data the first administrator needs a password.');
  }
  if (config.adminPassword && config.adminPassword.length < 12)
    wrong.push('ADMIN_PASSWORD is too short: 12 characters or more.');
  if (wrong.length > 0) throw new SettingsError(wrong.join('\n'));
  return config;
}
