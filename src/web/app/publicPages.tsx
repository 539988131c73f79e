/** The paths of the public site. Every screen and every article's text is a chunk of its own. */
import type { RouteObject } from '#web/router/matching.ts';
import type { ArticleText } from '#web/site/content/articleShape.ts';
import type { MemberSlug } from '#web/site/content/memberNames.ts';
import { lazyPage } from './screens.ts';

const plainPaths = [
  '/coverage',
  '/benefits',
  '/methods',
  '/privacy-policy',
  '/private-policy',
  '/terms-and-conditions',
  '/anti-laundring',
  '/anti-laundering',
] as const;

const eventSlugs = [
  'first-home',
  'business-breakfast',
  'statement-in-ten-minutes',
  'fraud-clinic',
  'saving-for-later',
] as const;

const memberSlugs: readonly MemberSlug[] = ['maren-holloway', 'tomas-adeyemi', 'ilse-varga', 'jonas-whitlow'];

const articleTexts = import.meta.glob<ArticleText>('../site/content/articles/*.ts', { import: 'text' });

const plainPages: RouteObject[] = plainPaths.map(path => ({
  path,
  ...lazyPage(
    () => import('#web/site/PlainPage.tsx'),
    async () => ({ page: (await import('#web/site/content/pages.ts')).pageTexts[path], props: { path } }),
  ),
}));

const articlePages: RouteObject[] = Object.entries(articleTexts).map(([file, load]) => {
  const slug = file.replace(/^.*\/|\.ts$/g, '');
  return {
    path: `/resources/${slug}`,
    ...lazyPage(
      () => import('#web/site/ArticleScreen.tsx'),
      async () => {
        const [{ articlePage }, text] = await Promise.all([import('#web/site/articlePage.ts'), load()]);
        return { page: articlePage(slug), props: { slug, text } };
      },
      { files: [file.replace('../', '')] },
    ),
  };
});

const eventPages: RouteObject[] = eventSlugs.map(slug => ({
  path: `/event/${slug}`,
  ...lazyPage(
    () => import('#web/site/EventScreen.tsx'),
    async () => ({ page: (await import('#web/site/eventPage.ts')).eventPage(slug), props: { slug } }),
  ),
}));

const memberPages: RouteObject[] = memberSlugs.map(slug => ({
  path: `/members/${slug}`,
  ...lazyPage(
    () => import('#web/site/MemberScreen.tsx'),
    async () => ({ page: (await import('#web/site/memberPage.ts')).memberPage(slug), props: { slug } }),
  ),
}));

/** Every public page, in the order of the sitemap. */
export const publicPages: RouteObject[] = [
  {
    index: true,
    ...lazyPage(
      () => import('#web/site/HomeScreen.tsx'),
      async () => (await import('#web/site/content/home.ts')).homeText,
      { later: ['HomeRest'] },
    ),
  },
  {
    path: '/about',
    ...lazyPage(
      () => import('#web/site/AboutScreen.tsx'),
      async () => (await import('#web/site/content/about.ts')).aboutText,
    ),
  },
  {
    path: '/business',
    ...lazyPage(
      () => import('#web/site/BusinessScreen.tsx'),
      async () => (await import('#web/site/content/business.ts')).businessText,
    ),
  },
  {
    path: '/contact',
    ...lazyPage(
      () => import('#web/site/ContactScreen.tsx'),
      async () => (await import('#web/site/content/contact.ts')).contactText,
    ),
  },
  {
    path: '/event',
    ...lazyPage(
      () => import('#web/site/EventsScreen.tsx'),
      async () => (await import('#web/site/content/events.ts')).eventText,
    ),
  },
  ...eventPages,
  ...memberPages,
  ...articlePages,
  ...plainPages,
];
