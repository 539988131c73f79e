/** The business brochure: two Letter pages with the text and figures of the business page. */
import { bank, phoneLink } from '#contract/constants.ts';
import { escapeHtml } from '#contract/html.ts';
import * as insuranceMessages from '#contract/messages/insurance.ts';
import { type BusinessText, type Fonts, sheet } from './sheet.ts';

export type Brochure = { text: BusinessText; cover: string; mark: string; fonts: Fonts };

const css = `
@page{size:8.5in 11in;margin:0}
.page{position:relative;width:8.5in;height:11in;padding:.6in .8in;overflow:hidden;break-after:page}
.page:last-child{break-after:auto}
.brand{display:flex;align-items:center;gap:9px;font:400 21px/1 Larkspur}.brand img{width:27px}
.cover{display:block;width:6.9in;margin-top:.28in;border-radius:10px}
h1{margin-top:.32in;font-size:52px;letter-spacing:-.03em}
.lead{max-width:5.6in;margin-top:16px;font-size:18px;color:var(--ink-2)}
.areas{display:grid;grid-template-columns:1fr 1fr;gap:16px 40px;margin-top:.36in}
.areas li{padding-top:11px;border-top:1px solid var(--line)}
h3{font-size:19px;letter-spacing:-.01em}.areas p,.loans p,.steps p{color:var(--ink-2);font-size:13.5px;line-height:1.45;margin-top:3px}
h2{font-size:31px}
.loans{width:100%;margin-top:14px;border-collapse:collapse}
.loans th{padding:6px 0;text-align:left;font-size:12.5px;color:var(--ink-2);font-weight:600}
.loans td{padding:7px 0;border-top:1px solid var(--line);vertical-align:top;font-variant-numeric:tabular-nums}
.loans td:not(:first-child),.loans th:not(:first-child){text-align:right;white-space:nowrap;padding-left:18px}
.loans td:nth-child(2){font:400 27px/1 Larkspur;color:var(--brand)}
.note{margin-top:6px;font-size:12.5px;color:var(--ink-2)}
.steps{display:grid;grid-template-columns:repeat(4,1fr);gap:24px;margin-top:14px}.steps li{padding-top:10px;border-top:1px solid var(--line)}.steps b{display:block;margin-bottom:6px;font:400 30px/1 Larkspur;color:var(--brand)}
.end{position:absolute;left:0;right:0;bottom:0;display:grid;grid-template-columns:1fr auto;gap:30px;align-items:end;padding:.34in .8in .38in;background:var(--deep);color:var(--on-deep)}
.end h2{font-size:27px}.end p{margin-top:5px;color:var(--on-deep-2);font-size:14px}.end a{color:inherit}.end dl{font-size:13.5px;line-height:1.6;text-align:right}`;

const entries = (items: readonly { title: string; text: string }[]) =>
  items.map(({ title, text }) => `<li><h3>${escapeHtml(title)}</h3><p>${escapeHtml(text)}</p></li>`).join('');

export function drawBrochure({ text, cover, mark, fonts }: Brochure): string {
  const { loans, steps, reasons, ask } = text;
  const brand = `<div class="brand"><img src="${mark}" alt="">${escapeHtml(bank.name)}</div>`;
  const rows = loans.items.map(
    loan =>
      `<tr><td><h3>${escapeHtml(loan.title)}</h3><p>${escapeHtml(loan.text)}</p></td><td>${loan.rate}</td><td>${loan.upTo}</td><td>${loan.term}</td></tr>`,
  );
  const body = `
<section class="page">${brand}<img class="cover" src="${cover}" alt="">
<h1>${escapeHtml(text.heading)}</h1><p class="lead">${escapeHtml(text.lead)}</p><ul class="areas">${entries(reasons.items)}</ul></section>
<section class="page">${brand}<h2 style="margin-top:.34in">${escapeHtml(loans.title)}</h2>
<table class="loans"><thead><tr><th>Loan</th><th>Rate from</th><th>${loans.upTo}</th><th>${loans.term}</th></tr></thead><tbody>${rows.join('')}</tbody></table>
<p class="note">${escapeHtml(loans.note)}</p>
<h2 style="margin-top:.34in">${escapeHtml(steps.title)}</h2><ol class="steps">${steps.items.map(({ title, text: details }, index) => `<li><b>${index + 1}</b><h3>${escapeHtml(title)}</h3><p>${escapeHtml(details)}</p></li>`).join('')}</ol>
<div class="end"><div><h2>${escapeHtml(ask.title)}</h2><p>${escapeHtml(ask.text)}</p><p>${insuranceMessages.demonstration}</p></div><dl><dd>${bank.address}</dd><dd><a href="${phoneLink}">${bank.phone}</a></dd><dd><a href="mailto:${bank.supportEmail}">${bank.supportEmail}</a></dd></dl></div></section>`;
  return sheet(fonts, `${bank.name}: ${text.heading}`, css, body);
}
