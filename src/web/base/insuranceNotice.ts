/**
 * What the institution that runs this bank says about deposit insurance. The server fills it into every page it sends, as text
 * and as a `<meta>` tag; a page that the server did not fill in (in development) has the default.
 */
import { insurancePlaceholder, noInsurance } from '#contract/messages/insurance.ts';

function readNotice(): string {
  // The build renders the placeholder.
  if (typeof document === 'undefined') return insurancePlaceholder;
  const notice = document.querySelector<HTMLMetaElement>('meta[name="insurance-notice"]')?.content;
  return notice && notice !== insurancePlaceholder ? notice : noInsurance;
}

export const insuranceNotice = readNotice();
