/** The default notice about deposit insurance. The institution that runs the bank replaces it with `INSURANCE_NOTICE`. */
export const demonstration = 'This is an open-source demonstration bank.';
export const noInsurance = `${demonstration} There is no deposit insurance, unless the institution that runs this bank states otherwise here.`;

/** Built pages contain this in place of the notice; the server fills it in. */
export const insurancePlaceholder = '{insurance}';
