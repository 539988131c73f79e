/** A text as a QR code, always dark on light: many cameras cannot read an inverted one. The encoder is loaded when needed. */
import { useEffect, useState } from 'react';
import './QrCode.css';

/** The standard's quiet zone around the code, in modules. */
const margin = 4;

export function QrCode({ text, label }: { text: string; label: string }) {
  const [modules, setModules] = useState<boolean[][]>([]);
  useEffect(() => {
    let isShown = true;
    void import('qr').then(({ default: encodeQR }) => {
      if (isShown) setModules(encodeQR(text, 'raw', { ecc: 'medium', border: margin }));
    });
    return () => {
      isShown = false;
    };
  }, [text]);
  const size = modules.length || 1;
  const path = modules
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg
      className="QrCode"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} />
    </svg>
  );
}
