/** An article card: cover, category, title and one sentence. The whole card is a link. */
import { Link } from '#web/router/Link.tsx';
import type { ArticleCard } from './content/articleList.ts';
import { articleWords } from './content/articleWords.ts';
import './ArticleTile.css';

export function ArticleTile({ article }: { article: ArticleCard }) {
  return (
    <Link className="ArticleTile" to={`/resources/${article.slug}`} draggable={false}>
      <img
        src={article.image}
        alt=""
        width={640}
        height={400}
        loading="lazy"
        decoding="async"
        draggable={false}
      />
      <span className="ArticleTile-words">
        <span className="ArticleTile-category">
          {article.category === 'research' ? articleWords.research : article.category}
        </span>
        <b>{article.title}</b>
        <span>{article.description}</span>
      </span>
    </Link>
  );
}
