/** The frame of every printed sheet: our fonts and the colors of the light scheme. */
import { escapeHtml } from '#contract/html.ts';

export type Fonts = { serif: string; sans: string };

/** The part of the business page's text that is printed; see `src/web/site/content/business.ts`. */
export type BusinessText = {
  heading: string;
  lead: string;
  loans: {
    title: string;
    note: string;
    rateFrom: string;
    rateNote: string;
    upTo: string;
    term: string;
    items: readonly { title: string; text: string; rate: string; upTo: string; term: string }[];
  };
  steps: { title: string; items: readonly { title: string; text: string }[] };
  reasons: { title: string; items: readonly { title: string; text: string }[] };
  ask: { title: string; text: string };
  brochure: string;
};

/** Returns a complete HTML document with our fonts embedded. */
export function sheet(fonts: Fonts, title: string, css: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title><style>
@font-face{font-family:Larkspur;src:url(${fonts.serif});font-weight:400}
@font-face{font-family:Text;src:url(${fonts.sans});font-weight:400 600}
*{box-sizing:border-box;margin:0;padding:0}
:root{--ink:#17162b;--ink-2:#4a4862;--paper:#faf8f3;--line:#d3ccbc;--brand:#3f3ba5;--deep:#2a266f;--on-deep:#faf8f3;--on-deep-2:#c9c7f2}
body{font:400 16px/1.5 Text;color:var(--ink);background:var(--paper);-webkit-print-color-adjust:exact}
h1,h2,h3{font-family:Larkspur;font-weight:400;letter-spacing:-.02em;line-height:1.08;text-wrap:balance}
ul,ol{list-style:none}
${css}</style></head><body>${body}</body></html>`;
}
