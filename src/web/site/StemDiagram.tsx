/** A larkspur that grows from its root, with a blossom for every section that has a short summary (`inShort`). */
import blossom from './art/spot-blossom.svg';
import type { PageSection, StemDiagramText } from './content/pages.ts';
import './StemDiagram.css';

export function StemDiagram({ text, sections }: { text: StemDiagramText; sections: readonly PageSection[] }) {
  return (
    <figure className="StemDiagram Site-wrap">
      <figcaption className="sr-only">{text.caption}</figcaption>
      <ul>
        {sections.map(
          ({ heading, inShort }) =>
            inShort && (
              <li key={heading}>
                <img src={blossom} alt="" width={56} height={56} loading="lazy" />
                <div>
                  <b>{heading}</b>
                  {inShort}
                </div>
              </li>
            ),
        )}
      </ul>
      <p>{text.root}</p>
    </figure>
  );
}
