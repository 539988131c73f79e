/** What the second factors' components show and do. The features pass the calls of a customer or an administrator. */
import type { RefusalCode } from '#contract/errors.ts';
import type { App, Passkey } from '#contract/factors.ts';
import * as authMessages from '#contract/messages/auth.ts';
import * as texts from './factorTexts.ts';

/** The result of a call, or the message to show. `isUnknown`: the call may have worked all the same. */
export type Outcome<T> = { data: T } | { error: string; code?: RefusalCode | undefined; isUnknown?: boolean };

/** The error at the field of an app's code. For a wrong code, it also says what to do. */
export const codeError = (error: string): string =>
  error === authMessages.badCode ? `${error}. ${texts.wrongAppCode}` : error;

export type FactorActs = {
  startApp: () => Promise<Outcome<{ secret: string; uri: string }>>;
  /** Resolves to the recovery codes. */
  confirmApp: (code: string) => Promise<Outcome<string[]>>;
  renewCodes: (code: string) => Promise<Outcome<string[]>>;
  removeApp: (password: string, code: string) => Promise<Outcome<unknown>>;
  addPasskey: (name: string) => Promise<Outcome<unknown>>;
  removePasskey: (passkey: Passkey) => Promise<Outcome<unknown>>;
  /** The state as read now, after a lost answer; undefined if it could not be read. */
  readApp: () => Promise<App | undefined>;
  readPasskeys: () => Promise<Passkey[] | undefined>;
};

/** The result of a query; `data` is undefined while it loads. */
type Loaded<T> = { data?: T | undefined; isError: boolean; refetch: () => unknown };

export type AppFactorProps = {
  app: Loaded<App>;
  acts: FactorActs;
  /** A customer's password has digits only. */
  passwordKind: 'digits' | 'text';
  /** Says how the login works without an app. */
  offText: string;
  /** Says what else ends when the app is removed. */
  removalEnds: string;
  /** Writes a text to a file that the browser saves. */
  onSave: (name: string, text: string) => void;
};

export type PasskeyFactorProps = {
  passkeys: Loaded<Passkey[]>;
  acts: FactorActs;
  isSupported: boolean;
  /** Says what else ends when a passkey is removed. */
  removalEnds: string;
};
