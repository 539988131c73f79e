/** A page in a few figures: a band of large ones under its title, each with the words that say what it counts. */
import type { Figure } from './content/pages.ts';
import './PageFigures.css';

export function PageFigures({ figures }: { figures: readonly Figure[] }) {
  return (
    <div className="PageFigures">
      <dl className="Site-wrap">
        {figures.map(({ value, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
