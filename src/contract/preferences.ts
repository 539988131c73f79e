/** Calls of the preferences area: how a customer is notified of each kind of event. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import * as errorMessages from './messages/errors.ts';
import * as preferencesMessages from './messages/preferences.ts';
import type { NotificationKind } from './notifications.ts';

/** Whether the app lists the notification. */
const bell = z.boolean({ error: errorMessages.validation });
/** `daily`: one summary a day. */
const mails = ['each', 'daily', 'off'] as const;
export type MailPreference = (typeof mails)[number];

const withMails = <const M extends readonly MailPreference[]>(choices: M) =>
  z.strictObject({ bell, mail: z.enum(choices, { error: errorMessages.validation }) });
const money = withMails(mails);
/** For kinds that are rare, or that the customer must act on: they have no daily summary. */
const single = withMails(['each', 'off']);

export const Preferences = z.strictObject({
  moneyIn: money,
  moneyOut: money,
  otherBanks: money,
  scheduled: single,
  statements: single,
});
export type Preferences = z.input<typeof Preferences>;
export type PreferenceKind = keyof Preferences;
export const preferenceKinds = Object.keys(Preferences.shape) as PreferenceKind[];

/** The choices of mail for a kind. */
export const mailChoices = (kind: PreferenceKind): readonly MailPreference[] =>
  Preferences.shape[kind].shape.mail.options;

const everything = { bell: true, mail: 'each' } as const;

/** The preferences of a customer who has chosen nothing. */
export const byDefault: Preferences = {
  moneyIn: everything,
  moneyOut: everything,
  otherBanks: everything,
  scheduled: everything,
  statements: { bell: false, mail: 'off' },
};

/** The notifications that each preference controls. All others, such as security notices and alerts, cannot be turned off. */
export const notificationsOf = {
  moneyIn: ['money-received', 'credited', 'reversed-in'],
  moneyOut: ['money-sent', 'reversed-out'],
  otherBanks: ['external-settled', 'external-returned'],
  scheduled: ['scheduled-failed', 'scheduled-missed'],
  statements: ['statement-ready'],
} as const satisfies Record<PreferenceKind, readonly NotificationKind[]>;

const path = '/api/v1/user/preferences';

export const preferencesApi = {
  preferences: endpoint({
    method: 'GET',
    path,
    access: 'customer',
    data: Preferences,
    message: preferencesMessages.preferences,
    summary: 'How the customer is notified of each kind of event, in the app and by mail',
  }),
  setPreferences: endpoint({
    method: 'PUT',
    path,
    access: 'customer',
    quota: 'changes',
    notWhileFrozen: true,
    body: Preferences,
    data: Preferences,
    message: 'Your notification settings are saved.',
    summary: 'Choose how to be notified; security mails, alerts and mails about large transfers always come',
  }),
};
