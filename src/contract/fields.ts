/** Field rules shared by several calls, each with the message for a violation. */
import * as z from 'zod/mini';
import {
  accountNumber,
  code,
  emailPattern,
  maxLength,
  paging,
  password,
  phone,
  recoveryCodes,
  transfer,
} from './constants.ts';
import * as authMessages from './messages/auth.ts';
import * as errorMessages from './messages/errors.ts';
import { fill } from './messages/fill.ts';
import * as registerMessages from './messages/register.ts';
import * as transferMessages from './messages/transfer.ts';
import { type Cents, centsToDollars, dollarsToCents } from './money.ts';

/**
 * Characters that no text field accepts: control characters, lone surrogates, private-use characters (each font draws its own),
 * and characters that reorder text or are invisible. The Braille blank is listed by itself, because Unicode does not count it
 * as invisible. Eight or more combining marks in a row are refused because they would cover the lines around them. Some scripts
 * and emoji need joiners and variation selectors, so these characters are accepted after a visible one.
 */
export const unprintable =
  /(?![\r\n\t])[\p{Cc}\p{Cs}\p{Co}\u2028\u2029\u2800\ufff9-\ufffb]|(?![\p{Join_Control}\p{Variation_Selector}])\p{Default_Ignorable_Code_Point}|(?<!\S)[\p{Join_Control}\p{Variation_Selector}]|[\p{Mn}\p{Me}]{8}/u;
const lineBreaks = /[\r\n\t]/;

/** Before normalization, a text may be this many times as long as its limit, because four characters can become one. */
const decomposed = 4;

/**
 * Texts are trimmed, in Unicode NFC, and at most `max` characters. The time to normalize a run of combining marks grows with
 * the square of its length. No real text has more than 30 in a run (UAX 15, Stream-Safe Text Format), so a longer run is
 * refused before it is normalized. Searching for runs takes long too, so very long texts are refused first.
 */
const plain = (max: number) => {
  const error = fill(errorMessages.tooLong, { max });
  return [
    z.trim(),
    z.maxLength(decomposed * max, { error, abort: true }),
    z.refine<string>(text => !/\p{M}{31}/u.test(text), { error: errorMessages.text, abort: true }),
    z.normalize(),
    z.maxLength(max, error),
  ] as const;
};

/** Single-line text of at most `max` characters. */
export function line(max: number, wrongType: string = errorMessages.text) {
  return z.string({ error: wrongType }).check(
    ...plain(max),
    z.refine(text => !unprintable.test(text) && !lineBreaks.test(text), errorMessages.text),
  );
}

/** A `line` that must not be empty; `missing` is the message if it is. */
export function requiredLine(max: number, missing: string) {
  return line(max, missing).check(z.minLength(1, missing));
}

/** Multi-line text. */
export function paragraph(max: number, missing: string) {
  return z.string({ error: missing }).check(
    ...plain(max),
    z.minLength(1, missing),
    z.refine(text => !unprintable.test(text), errorMessages.text),
  );
}

/** Modifier letters are no letters here, because some of them look like apostrophes. */
const nameLetter = /(?!\p{Lm})\p{L}/u;
/** Pictures, and the modifiers that give emoji a skin color. They include letters in circles and the letters of flags. */
const nameSymbol = /\p{So}|\p{Emoji_Modifier}/u;

/**
 * A rule for a person's name. A name that breaks the rule could not be compared with a sanctions list. Only the name's first
 * problem is reported, and an empty name has a message of its own.
 */
const nameRule =
  (isBroken: (name: string) => boolean, message: string): z.core.CheckFn<string> =>
  ({ value, issues }) => {
    if (value !== '' && issues.length === 0 && isBroken(value))
      issues.push({ code: 'custom', input: value, message });
  };
export const nameWithoutSymbols = nameRule(name => nameSymbol.test(name), registerMessages.nameSymbols);
export const nameWithLetters = nameRule(name => !nameLetter.test(name), registerMessages.nameLetters);

/** An email address, trimmed and in lower case. */
export const email = z.string({ error: registerMessages.email }).check(
  z.trim(),
  z.toLowerCase(),
  z.maxLength(maxLength.email, registerMessages.email),
  z.refine(text => emailPattern.test(text), registerMessages.email),
);

/** Exactly ten ASCII digits. */
export const phonePattern = new RegExp(`^[0-9]{${phone.digits}}$`);

export const phoneNumber = z.string({ error: registerMessages.phone }).check(
  z.trim(),
  z.refine(text => phonePattern.test(text), registerMessages.phone),
);

/** Every country's postal codes contain a digit; letters, blanks and dashes are common too. */
export const zipCodePattern = /\p{Nd}/u;

/** A customer's password: ASCII digits only. */
export const passwordPattern = new RegExp(`^[0-9]{${password.minDigits},${password.maxDigits}}$`);

export const newPassword = z
  .string({ error: registerMessages.password })
  .check(z.refine(text => passwordPattern.test(text), registerMessages.password));

/** A password to check: any 1 to 64 digits, so that a short password is refused as wrong, not as malformed. */
export const givenPassword = z
  .string({ error: registerMessages.password })
  .check(z.refine(text => /^[0-9]{1,64}$/.test(text), registerMessages.password));

/** An administrator's password to check. A short or long password is refused as wrong, not as malformed. */
export const givenAdminPassword = z
  .string({ error: errorMessages.required })
  .check(
    z.minLength(1, errorMessages.required),
    z.maxLength(password.adminMaxCharacters, authMessages.badCredentials),
  );

const sixDigits = new RegExp(`^[0-9]{${code.length}}$`);

/** The one-time code: six ASCII digits as text. */
export const oneTimeCode = z
  .string({ error: authMessages.badCode })
  .check(z.refine(text => sixDigits.test(text), authMessages.badCode));

const recoveryCode = new RegExp(`^[a-z]{${recoveryCodes.letters}}$`);
const withoutGaps = (text: string) => text.replaceAll(/[\s-]/g, '').toLowerCase();

/** Six digits, or the letters of a recovery code. Case, hyphens and blanks in a recovery code are ignored. */
export const secondCode = z.string({ error: authMessages.badCode }).check(
  z.overwrite(text => (recoveryCode.test(withoutGaps(text)) ? withoutGaps(text) : text)),
  z.refine(text => sixDigits.test(text) || recoveryCode.test(text), authMessages.badCode),
);

/** Money: a number of dollars with at most two decimals on the wire, cents in code. */
export const money = z.codec(z.number(), z.bigint(), {
  decode: (dollars, context) => {
    const cents = dollarsToCents(dollars);
    if (cents === undefined) {
      context.issues.push({ code: 'custom', input: dollars, message: transferMessages.invalidAmount });
      return z.NEVER;
    }
    return cents;
  },
  encode: centsToDollars,
});

const maxAmountCents: Cents = BigInt(transfer.maxAmountDollars) * 100n;

/** An amount in a request: greater than zero, at most the limit, never rounded. */
export const amount = z.codec(z.number({ error: transferMessages.invalidAmount }), z.bigint(), {
  decode: (dollars, context) => {
    const cents = dollarsToCents(dollars);
    if (cents === undefined || cents <= 0n || cents > maxAmountCents) {
      context.issues.push({ code: 'custom', input: dollars, message: transferMessages.invalidAmount });
      return z.NEVER;
    }
    return cents;
  },
  encode: centsToDollars,
});

/** A moment: ISO 8601 in UTC on the wire, `Date` in code. */
export const moment = z.codec(z.string(), z.date(), {
  decode: text => new Date(text),
  encode: date => date.toISOString(),
});

/** Twelve digits. `isAccountNumber` in `accountNumber.ts` checks the check digit. */
export const accountNumberText = z
  .string({ error: transferMessages.accountNumberFormat })
  .check(
    z.refine(
      text => new RegExp(`^[0-9]{${accountNumber.digits}}$`).test(text),
      transferMessages.accountNumberFormat,
    ),
  );

/** A UUID as text. */
export const id = z
  .string({ error: errorMessages.validation })
  .check(
    z.refine(
      text => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text),
      errorMessages.validation,
    ),
  );

/**
 * Who owns the work, according to the screen of the administrator who takes, answers or closes it. The screen can be out of
 * date, so the call is refused if a different colleague owns the work.
 */
export const takenFrom = z.optional(id);
export const takeOver = z.optional(z.strictObject({ takenFrom }));

function wholeNumber(min: number, max: number, byDefault: number) {
  return z._default(
    z.codec(z.string(), z.number(), {
      decode: (text, context) => {
        const value = Number(text);
        if (!/^[0-9]{1,9}$/.test(text) || value < min || value > max) {
          context.issues.push({ code: 'custom', input: text, message: errorMessages.validation });
          return z.NEVER;
        }
        return value;
      },
      encode: String,
    }),
    byDefault,
  );
}

export const page = wholeNumber(1, paging.maxPage, 1);

export const limit = (byDefault: number) => wholeNumber(1, paging.maxLimit, byDefault);

/** The query of a list: the page, and how many rows it has. */
export const pageQuery = (rows: number = paging.queueDefault) => ({
  page,
  limit: limit(rows),
});

/** The fields of a list's answer that describe its pages. */
export const pages = { currentPage: z.number(), totalPages: z.number() };

/** An existing calendar day since 1900, `YYYY-MM-DD`, in the bank's time zone. */
export function day(broken: string) {
  return z.string({ error: broken }).check(
    z.refine(
      text => {
        const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
        if (!match || Number(match[1]) < 1900) return false;
        const date = new Date(`${text}T00:00:00Z`);
        return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
      },
      { error: broken, abort: true },
    ),
  );
}

/** A search text; runs of spaces become one space. */
export const search = line(maxLength.search).check(z.overwrite(text => text.replace(/\s+/g, ' ')));
