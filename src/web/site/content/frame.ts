/** Texts of the frame around every page: navigation, footer, and the error page. */
import { bank } from '#contract/constants.ts';

export const frameText = {
  skipToContent: 'Skip to content',
  siteNavigation: 'Site',
  menu: 'Menu',
  offlineTitle: 'You’re offline',
  offlineText:
    'Larkspur needs a connection to show your current balance and to send money. Check your network and try again.',
  crashTitle: 'This page didn’t open',
  crashText:
    'There was a problem with our server or your connection. If you just sent money, check your transactions before you send it again. If this page still doesn’t open, contact the Help Desk.',
} as const;

export const footerText = {
  story:
    'Larkspur is named after a meadow flower that grows tall on poor soil, slowly, and comes back every summer.',
  columns: [
    {
      title: 'The bank',
      links: [
        { to: '/about', label: 'About' },
        { to: '/coverage', label: 'Coverage' },
        { to: '/benefits', label: 'Benefits' },
        { to: '/methods', label: 'Methods' },
      ],
    },
    {
      title: 'Help',
      links: [
        { to: '/contact', label: 'Help Desk' },
        { to: '/business', label: 'Businesses & Institutions' },
        { to: '/event', label: 'Events' },
        { to: '/#services', label: 'Articles' },
        { to: '/register', label: 'Apply Now' },
      ],
    },
    {
      title: 'Legal',
      links: [
        { to: '/privacy-policy', label: 'Privacy policy' },
        { to: '/terms-and-conditions', label: 'Terms and conditions' },
        { to: '/anti-laundring', label: 'Anti-money-laundering' },
      ],
    },
  ],
  imprint: `© 2026 ${bank.name}`,
  backToTop: 'Back to top',
} as const;
