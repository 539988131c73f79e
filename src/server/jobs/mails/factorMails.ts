/** The mails about second factors, by template name. Personal text: only a name. Each has the link that freezes the account. */
import { bank, factorReset } from '#contract/constants.ts';
import * as factorsMessages from '#contract/messages/factors.ts';
import { ifNotYou, type Piece } from './mailLayout.ts';

const stopRemoval = (publicUrl: string): Piece[] => [
  factorsMessages.stopRemoval,
  { notice: `If you didn’t ask for this, stop it now or call us: ${bank.phone}.` },
  { link: 'Log in to stop it', url: `${publicUrl}/login` },
];

export const factorMails = {
  'app-added': () => ({
    title: 'Authenticator app added',
    pieces: [
      'An authenticator app was just added to your account. From now on you log in with its code, and we no longer email you one.',
      'Keep your recovery codes in a safe place. Each one logs you in once if you lose your phone.',
      ifNotYou,
    ],
  }),
  'app-removed': () => ({
    title: 'Authenticator app removed',
    pieces: [
      'The authenticator app and its recovery codes were just removed from your account. Your other devices were logged out, and push notifications were turned off on all devices.',
      ifNotYou,
    ],
  }),
  'recovery-renewed': () => ({
    title: 'New recovery codes',
    pieces: ['Your recovery codes were just replaced. The old ones no longer work.', ifNotYou],
  }),
  'recovery-changed': () => ({
    title: 'A recovery code was used',
    pieces: [
      'One of your recovery codes was just used to change your authenticator app or your recovery codes. It won’t work again.',
      ifNotYou,
    ],
  }),
  'recovery-used': () => ({
    title: 'Someone logged in with a recovery code',
    pieces: [
      'One of your recovery codes was just used to log in to your account. It won’t work again. You can get new codes in the security settings.',
      ifNotYou,
    ],
  }),
  'passkey-added': () => ({
    title: 'Passkey added',
    pieces: [
      'A passkey was just added to your account. The device that holds it can log in without your password.',
      ifNotYou,
    ],
  }),
  'passkey-removed': () => ({
    title: 'Passkey removed',
    pieces: [
      'A passkey was just removed from your account. You can’t log in with it anymore. Your other devices were logged out, and push notifications were turned off on all devices.',
      ifNotYou,
    ],
  }),
  'factor-reset-requested': publicUrl => ({
    title: 'We will remove your authenticator app and passkeys',
    pieces: [
      `We received a request to remove your authenticator app, recovery codes and passkeys. We remove them in ${factorReset.waitHours} hours. After that, you log in with your password and an emailed code.`,
      ...stopRemoval(publicUrl),
    ],
  }),
  'factor-reset-postponed': publicUrl => ({
    title: 'We will remove your authenticator app and passkeys later',
    pieces: [
      `We received a request to remove your authenticator app, recovery codes and passkeys. We postponed it and now remove them in ${factorReset.postponedHours} hours. After that, you log in with your password and an emailed code.`,
      ...stopRemoval(publicUrl),
    ],
  }),
  'factor-reset-canceled': () => ({
    title: 'We won’t remove your authenticator app and passkeys',
    pieces: [
      'The request to remove your authenticator app, recovery codes and passkeys was canceled: by a login with one of them, because your account was frozen, or by us. They stay as they are.',
      `If you still can’t use them, call us: ${bank.phone}.`,
      ifNotYou,
    ],
  }),
  'factors-reset': publicUrl => ({
    title: 'Your authenticator app and passkeys were removed',
    pieces: [
      'Your authenticator app, recovery codes and passkeys were removed. Every session has ended, and push notifications were turned off on all devices. You now log in with your password and an emailed code.',
      ifNotYou,
      { link: 'Log in', url: `${publicUrl}/login` },
    ],
  }),
} satisfies Record<string, (publicUrl: string) => { title: string; pieces: Piece[] }>;
