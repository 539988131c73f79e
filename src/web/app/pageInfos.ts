/** Titles and descriptions of the prerendered pages of the features, and the title of the offline page. */
import { bank } from '#contract/constants.ts';
import * as navMessages from '#contract/messages/nav.ts';
import { frameText } from '#web/site/content/frame.ts';
import type { PageInfo } from './screens.ts';

export const pageInfos = {
  login: {
    title: navMessages.login,
    description: `Log in to ${bank.name} with your email, your password and a code that we email you.`,
  },
  register: {
    title: 'Open an account',
    description: `Apply for an account at ${bank.name}. Applications are usually answered within 24–48 hours.`,
  },
  forgotPassword: {
    title: 'Forgot your password?',
    description: `Choose a new password for your account at ${bank.name} with a code sent to your email address.`,
  },
  notMe: {
    title: 'Remove a registration',
    description: `Remove a registration at ${bank.name} that another person made with your email address.`,
  },
  freezeAccount: {
    title: 'Freeze my account',
    description: `Freeze your account at ${bank.name} with the link in a security email.`,
  },
  offline: { title: frameText.offlineTitle },
  adminLogin: { title: navMessages.adminLogin },
  setAdminPassword: { title: 'Set your password' },
} satisfies Record<string, PageInfo>;
