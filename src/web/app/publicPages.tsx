/** The addresses of the public site. Every page is a chunk of its own, and so is every article's text. */
import type { RouteObject } from 'react-router';
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
  ...lazyPage(['site/PlainPage.tsx', 'site/content/pages.ts'], async () => {
    const [{ PlainPage }, { pageTexts }] = await Promise.all([
      import('#web/site/PlainPage.tsx'),
      import('#web/site/content/pages.ts'),
    ]);
    const text = pageTexts[path];
    return { Component: () => <PlainPage text={text} />, page: text };
  }),
}));

const articlePages: RouteObject[] = Object.entries(articleTexts).map(([file, load]) => {
  const slug = file.replace(/^.*\/|\.ts$/g, '');
  return {
    path: `/resources/${slug}`,
    ...lazyPage(['site/ArticleScreen.tsx', `site/content/articles/${slug}.ts`], async () => {
      const [{ ArticleScreen }, { articlePage }, text] = await Promise.all([
        import('#web/site/ArticleScreen.tsx'),
        import('#web/site/articlePage.ts'),
        load(),
      ]);
      return { Component: () => <ArticleScreen slug={slug} text={text} />, page: articlePage(slug) };
    }),
  };
});

const eventPages: RouteObject[] = eventSlugs.map(slug => ({
  path: `/event/${slug}`,
  ...lazyPage('site/EventScreen.tsx', async () => {
    const [{ EventScreen }, { eventPage }] = await Promise.all([
      import('#web/site/EventScreen.tsx'),
      import('#web/site/eventPage.ts'),
    ]);
    return { Component: () => <EventScreen slug={slug} />, page: eventPage(slug) };
  }),
}));

const memberPages: RouteObject[] = memberSlugs.map(slug => ({
  path: `/members/${slug}`,
  ...lazyPage('site/MemberScreen.tsx', async () => {
    const [{ MemberScreen }, { memberPage }] = await Promise.all([
      import('#web/site/MemberScreen.tsx'),
      import('#web/site/memberPage.ts'),
    ]);
    return { Component: () => <MemberScreen slug={slug} />, page: memberPage(slug) };
  }),
}));

/** Every public page, in the order of the sitemap. */
export const publicPages: RouteObject[] = [
  {
    index: true,
    ...lazyPage('site/HomeScreen.tsx', async () => {
      const [{ HomeScreen }, { homeText }] = await Promise.all([
        import('#web/site/HomeScreen.tsx'),
        import('#web/site/content/home.ts'),
      ]);
      return { Component: HomeScreen, page: homeText.page };
    }, ['site/HomeRest.tsx']),
  },
  {
    path: '/about',
    ...lazyPage('site/AboutScreen.tsx', async () => {
      const [{ AboutScreen }, { aboutText }] = await Promise.all([
        import('#web/site/AboutScreen.tsx'),
        import('#web/site/content/about.ts'),
      ]);
      return { Component: AboutScreen, page: aboutText.page };
    }),
  },
  {
    path: '/business',
    ...lazyPage('site/BusinessScreen.tsx', async () => {
      const [{ BusinessScreen }, { businessText }] = await Promise.all([
        import('#web/site/BusinessScreen.tsx'),
        import('#web/site/content/business.ts'),
      ]);
      return { Component: BusinessScreen, page: businessText.page };
    }),
  },
  {
    path: '/contact',
    ...lazyPage('site/ContactScreen.tsx', async () => {
      const [{ ContactScreen }, { contactText }] = await Promise.all([
        import('#web/site/ContactScreen.tsx'),
        import('#web/site/content/contact.ts'),
      ]);
      return { Component: ContactScreen, page: contactText.page };
    }),
  },
  {
    path: '/event',
    ...lazyPage('site/EventsScreen.tsx', async () => {
      const [{ EventsScreen }, { eventText }] = await Promise.all([
        import('#web/site/EventsScreen.tsx'),
        import('#web/site/content/events.ts'),
      ]);
      return { Component: EventsScreen, page: eventText.page };
    }),
  },
  ...eventPages,
  ...memberPages,
  ...articlePages,
  ...plainPages,
];
