/**
 * What the institution that runs this bank says about deposit insurance. The server fills it into every page it sends, as text
 * and as a `<meta>` tag. In development the server fills in nothing, and the default is used.
 */
import * as insuranceMessages from '#contract/messages/insurance.ts';

function readNotice(): string {
  // The build renders the placeholder.
  if (typeof document === 'undefined') return insuranceMessages.insurancePlaceholder;
  const notice = document.querySelector<HTMLMetaElement>('meta[name="insurance-notice"]')?.content;
  return notice && notice !== insuranceMessages.insurancePlaceholder ? notice : insuranceMessages.noInsurance;
}

export const insuranceNotice = readNotice();
