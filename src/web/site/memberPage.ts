/** Metadata of an author page for search engines. */
import { bank } from '#contract/constants.ts';
import { type MemberSlug, memberNames } from './content/memberNames.ts';
import { memberTexts } from './content/members.ts';

/** Title, description and structured data of an author page. */
export function memberPage(slug: MemberSlug) {
  const { name, desk } = memberNames[slug];
  return {
    title: name,
    description: memberTexts[slug].lead,
    facts: {
      '@type': 'ProfilePage',
      mainEntity: {
        '@type': 'Person',
        name,
        jobTitle: desk,
        worksFor: { '@type': 'BankOrCreditUnion', name: bank.name },
      },
    },
  };
}
