/** A social card of 1200 × 630 pixels: the title on the left, the page's complete drawing on the right. */
import { bank } from '#contract/constants.ts';
import { escapeHtml } from '#contract/html.ts';
import { type Fonts, sheet } from './sheet.ts';

export type Card = { above: string; title: string; image: string; mark: string; fonts: Fonts };

export function drawCard({ above, title, image, mark, fonts }: Card): string {
  const css = `
body{width:1200px;height:630px;display:grid;grid-template-columns:536px 1fr;align-items:center;overflow:hidden}
.words{display:flex;flex-direction:column;height:100%;padding:70px 30px 62px 64px}
.words p{color:var(--brand);font-weight:600;font-size:25px}
h1{margin-top:22px;font-size:${title.length > 34 ? 58 : 72}px;letter-spacing:-.03em;line-height:1.02}
.foot{display:flex;align-items:center;gap:14px;margin-top:auto;font:400 34px/1 Larkspur}
.foot img{width:46px;height:46px}
.art{width:624px;border-radius:14px}`;
  const body = `<div class="words"><p>${escapeHtml(above === bank.name ? 'Personal and business banking' : above)}</p><h1>${escapeHtml(title)}</h1><div class="foot"><img src="${mark}" alt="">${escapeHtml(bank.name)}</div></div><img class="art" src="${image}" alt="">`;
  return sheet(fonts, title, css, body);
}
