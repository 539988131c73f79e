/** What search engines are told about one article. */
import { bank } from '#contract/constants.ts';
import { articleList } from './content/articleList.ts';
import { memberNames } from './content/memberNames.ts';

/** Title, description and facts of an article's page. Throws on a slug that is no article's. */
export function articlePage(slug: string) {
  const article = articleList.find(one => one.slug === slug);
  if (!article) throw new Error(`There is no article ${slug}`);
  return {
    title: article.title,
    description: article.description,
    card: slug,
    facts: {
      '@type': 'Article',
      headline: article.title,
      description: article.description,
      articleSection: article.category,
      isAccessibleForFree: true,
      author: { '@type': 'Person', name: memberNames[article.author].name },
      publisher: { '@type': 'BankOrCreditUnion', name: bank.name },
    },
  };
}
