/** Metadata of an article page for search engines. */
import { bank } from '#contract/constants.ts';
import { articleList } from './content/articleList.ts';
import { memberNames } from './content/memberNames.ts';

/** Title, description and structured data of an article page. Throws if the slug is unknown. */
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
