/** The mails about push notifications, by template name. Each gets the link that freezes the account: see `freezeMails`. */
import { bank } from '#contract/constants.ts';
import { ifNotYou, type Piece } from './mailLayout.ts';

export const pushMails = {
  'push-added': publicUrl => ({
    title: 'Push notifications turned on',
    pieces: [
      'Push notifications about your account were just turned on for a new device.',
      ifNotYou,
      { link: 'View your devices', url: `${publicUrl}/dashboard/settings?tab=notifications` },
    ],
  }),
  'push-removed': publicUrl => ({
    title: 'Push notifications turned off',
    pieces: [
      'Push notifications about your account were just turned off on one or more of your devices.',
      ifNotYou,
      { link: 'View your devices', url: `${publicUrl}/dashboard/settings?tab=notifications` },
    ],
  }),
  'push-taken-over': publicUrl => ({
    title: 'A browser no longer shows your push notifications',
    pieces: [
      'Another account turned on push notifications in a browser that showed yours. It now shows only the other account’s notifications.',
      'If you share the browser and want yours back, log in there and turn them on again.',
      { notice: `If you don’t share a browser, set a new password right away and call us: ${bank.phone}.` },
      { link: 'View your devices', url: `${publicUrl}/dashboard/settings?tab=notifications` },
    ],
  }),
} satisfies Record<string, (publicUrl: string) => { title: string; pieces: Piece[] }>;
