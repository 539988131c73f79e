/** The default notice about deposit insurance. The institution that runs the bank replaces it with `INSURANCE_NOTICE`. */
export const noInsurance = 'This is an open-source demonstration bank. No deposit insurance applies.';

/** Built pages contain this in place of the notice; the server fills it in. */
export const insurancePlaceholder = '{insurance}';
