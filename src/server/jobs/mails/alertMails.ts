/** The mails about alerts, by template name. Each gets the link that freezes the account: see `freezeMails`. */
import { newReceiver } from '#contract/alertRules.ts';
import { ifNotYou, type Piece } from './mailLayout.ts';

export const alertMails = {
  'alert-large-first-payment': publicUrl => ({
    title: 'A large payment to a new receiver',
    pieces: [
      `A payment with most of the money in your account just went to a receiver that you first paid less than ${newReceiver.hours} hours ago. If that was you, there is nothing you need to do.`,
      ifNotYou,
      { link: 'View your transactions', url: `${publicUrl}/dashboard/transactions` },
    ],
  }),
  'alert-many-payments': publicUrl => ({
    title: 'Many payments from your account',
    pieces: [
      `Many payments just left your account in a short time, or went to receivers that you first paid less than ${newReceiver.hours} hours ago. If that was you, there is nothing you need to do.`,
      ifNotYou,
      { link: 'View your transactions', url: `${publicUrl}/dashboard/transactions` },
    ],
  }),
  'alert-guessed-logins': publicUrl => ({
    title: 'Someone tried wrong passwords on your login',
    pieces: [
      'Someone just tried wrong passwords on many logins, including yours. If your password is easy to guess, or you use it elsewhere, set a new one.',
      'Only freeze your account if you also see activity that wasn’t yours.',
      { link: 'Set a new password', url: `${publicUrl}/forgot-password` },
    ],
  }),
} satisfies Record<string, (publicUrl: string) => { title: string; pieces: Piece[] }>;
