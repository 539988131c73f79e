/** A band of large figures under a page's title, each with a label. */
import { Ranges } from '#web/ui/Ranges.tsx';
import type { Figure } from './content/pages.ts';
import './PageFigures.css';

export function PageFigures({ figures }: { figures: readonly Figure[] }) {
  return (
    <div className="PageFigures">
      <dl className="Site-wrap">
        {figures.map(({ value, label }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <Ranges>{value}</Ranges>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
