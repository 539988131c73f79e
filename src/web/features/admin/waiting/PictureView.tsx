/** One large picture of an application. It can be rotated by quarter turns, enlarged, and scrolled by pointer or arrow keys. */
import { type CSSProperties, type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { IconButton } from '#web/ui/IconButton.tsx';
import { words } from '../words.ts';
import './PictureView.css';

const zooms = [1, 1.5, 2, 3, 4];

export type PictureViewProps = {
  /** What the picture shows, for example 'ID document'. */
  label: string;
  /** The picture's address; absent while it loads or if there is none. */
  src: string | undefined;
  /** Shown instead of a picture. */
  children?: ReactNode;
  onLoad?: () => void;
};

export function PictureView({ label, src, children, onLoad }: PictureViewProps) {
  const [quarters, setQuarters] = useState(0);
  const [zoom, setZoom] = useState(0);
  const style = { '--zoom': zooms[zoom], '--rotation': `${quarters * 90}deg` } as CSSProperties;
  const frame = useRef<HTMLElement>(null);
  /** Zooms around the center of the visible part, because the corners of a picture can be empty. */
  const zoomTo = (next: number) => {
    const shown = frame.current!;
    const [width, height] = [shown.clientWidth / 2, shown.clientHeight / 2];
    const [x, y] = [shown.scrollLeft + width, shown.scrollTop + height];
    flushSync(() => setZoom(next));
    const growth = zooms[next]! / zooms[zoom]!;
    shown.scrollTo({ left: x * growth - width, top: y * growth - height, behavior: 'instant' });
  };
  return (
    <div className="PictureView">
      <div className="PictureView-bar">
        <h3 className="type-small">{label}</h3>
        {src && (
          <div>
            <IconButton icon="rotate" label={words.rotate(label)} onClick={() => setQuarters(quarters + 1)} />
            <IconButton
              icon="minus"
              label={words.zoomOut(label)}
              disabled={zoom === 0}
              onClick={() => zoomTo(zoom - 1)}
            />
            <IconButton
              icon="plus"
              label={words.zoomIn(label)}
              disabled={zoom === zooms.length - 1}
              onClick={() => zoomTo(zoom + 1)}
            />
          </div>
        )}
      </div>
      <section ref={frame} className="PictureView-frame" tabIndex={src ? 0 : undefined} aria-label={label}>
        {src ? (
          <div className="PictureView-canvas" style={style}>
            <img
              className={quarters % 2 === 1 ? 'PictureView-turned' : undefined}
              src={src}
              alt={label}
              onLoad={onLoad}
            />
          </div>
        ) : (
          children
        )}
      </section>
    </div>
  );
}
