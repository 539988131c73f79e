/** The author of an article or host of an event: portrait, name and department, with a link to their page. */
import { Link } from '#web/router/Link.tsx';
import { type MemberSlug, memberNames } from './content/memberNames.ts';
import './ByLine.css';

export type ByLineProps = { author: MemberSlug; size?: 's' | 'm' };

export function ByLine({ author, size = 's' }: ByLineProps) {
  const { name, desk, portrait } = memberNames[author];
  const side = size === 's' ? 36 : 52;
  return (
    <Link className="ByLine" to={`/members/${author}`}>
      <img src={portrait} alt="" width={side} height={side} loading="lazy" decoding="async" />
      <span>
        <b>{name}</b>
        <span>{desk}</span>
      </span>
    </Link>
  );
}
