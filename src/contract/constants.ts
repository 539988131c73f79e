/**
 * Every number and name the product promises, in the order of chapter 9 of the specification, followed by the limits that
 * `docs/decisions/` adds.
 */

/** The bank's name, addresses and formats. Some texts of the web app spell out the name. */
export const bank = {
  name: 'Larkspur Bank',
  shortName: 'Larkspur',
  supportEmail: 'help@larkspur.example',
  phone: '(212) 555-0142',
  address: '18 Meadow Row, New York, NY 10014',
  timeZone: 'America/New_York',
  locale: 'en-US',
  currency: 'USD',
  /** Valid check digit, assigned to no bank (ABA). `ROUTING_NUMBER` replaces it. */
  routingNumber: '800000006',
} as const;

/** Calls the bank's phone number. */
export const phoneLink = `tel:+1${bank.phone.replace(/\D/g, '')}`;

export const code = {
  length: 6,
  resendCooldownSeconds: 45,
  lifeSeconds: 300,
  maxAttempts: 5,
  maxPerHour: 30,
} as const;

export const login = {
  redirectDelayMs: 1500,
  maxWrongPasswords: 5,
  maxWrongCodes: 10,
  lockSeconds: 900,
  /** For this long after the correct password was entered, a new code can be requested. */
  resendForSeconds: 900,
} as const;

export const contact = { sendDelayMs: 1500 } as const;

export const password = {
  minDigits: 6,
  maxDigits: 64,
  adminMinCharacters: 12,
  adminMaxCharacters: 128,
} as const;

export const phone = { digits: 10 } as const;

export const accountNumber = { digits: 12, lookupFrom: 12 } as const;

/** The registration promises that applications are usually decided within these hours. */
export const approvalHours = { from: 24, to: 48 } as const;

export const registration = {
  timeoutMs: 60_000,
  approvalHours: `${approvalHours.from}-${approvalHours.to}`,
  /**
   * After this time, the bank removes a registration that is not approved and whose email no login or password reset has
   * proved. A frozen registration stays.
   */
  provenInDays: 30,
} as const;

/** The terms that customers accept at registration. Raise `version` whenever the text of /terms-and-conditions changes. */
export const terms = { version: '2026-11', minimumAge: 18 } as const;

export const image = {
  recommendedMegabytes: 5,
  maxBytes: 10 * 1024 * 1024,
  maxPixels: 25_000_000,
  minSidePixels: 32,
  accepted: ['image/jpeg', 'image/png', 'image/webp'],
} as const;

const fewestBusinessDays = 3;
const mostBusinessDays = 7;

export const externalTransfer = {
  fewestBusinessDays,
  mostBusinessDays,
  businessDays: `${fewestBusinessDays}-${mostBusinessDays}`,
  /** Length of a business day of the payment rail; a demo uses a much shorter one. */
  daySeconds: 86_400,
  demoDaySeconds: 20,
} as const;

export const paging = {
  transactionsDefault: 10,
  recentTransactions: 5,
  usersDefault: 10,
  queueDefault: 25,
  auditDefault: 50,
  maxLimit: 100,
  maxPage: 1_000_000,
} as const;

export const admin = {
  searchDebounceMs: 500,
  loginErrorMs: 3000,
  creditMinDollars: 0,
  creditStepDollars: 0.01,
} as const;

export const session = {
  /** Life of a session token; `exp` is in seconds. */
  lifeSeconds: 3600,
  /** The customer is warned this long before a token expires: time to finish a form, because nothing extends a session. */
  expiryWarningSeconds: 5 * 60,
  tokenCheckMs: 60_000,
  idleWarningSeconds: 15 * 60,
  idleLogoutSeconds: 60,
  /** Header with the seconds since the person's last action. A request without this header counts as an action. */
  idleHeader: 'x-idle-seconds',
} as const;

/** Live updates: the server sends a heartbeat every `heartbeatMs`; after `timeoutMs` without one the client reconnects. */
export const liveUpdates = { heartbeatMs: 15_000, timeoutMs: 45_000 } as const;

export const toast = { autoCloseMs: 5000, dragPercent: 80 } as const;

export const carousel = { delayMs: 3000, perView: 2, spacing: 30 } as const;

export const transfer = {
  /** The web app shows 'Transfer Processing' if there is no answer within this time. */
  answerTimeoutMs: 10_000,
  /** Also in db/migrations/0042_large_deposits.sql. */
  maxAmountDollars: 1_000_000_000,
} as const;

/** Transfers of this amount or more need a step-up, unless `STEP_UP_FROM` says otherwise. */
export const stepUp = { fromDollars: 25_000 } as const;

/** The link "This wasn't me" of security mails works once, for this many days. */
export const freezeLink = { days: 30 } as const;
/** For this many days after staff change an email that was proven, security mails also go to that former email. */
export const formerEmail = { days: 7 } as const;

/**
 * Rate limits per IP address (IPv6: per /64) and server: `times` in `seconds`. The workers of a server share their counts.
 * `all` counts every call and picture. `reports` counts reports of policy violations. Each other quota counts the calls that
 * declare it. The limits are high enough for an office behind one address.
 */
export const addressQuotas = {
  all: { times: 3000, seconds: 60 },
  login: { times: 120, seconds: 60 },
  register: { times: 60, seconds: 600 },
  contact: { times: 30, seconds: 600 },
  reports: { times: 30, seconds: 600 },
} as const;

/** One person can own an IPv6 /48. So its 65,536 /64s together have the quotas of this many addresses. */
export const addressesPerNetwork = 10;

/**
 * How many bytes of pictures (`times`) the registrations of one address (IPv6: /48) can store in a day on each server. That is
 * enough for about 700 people. A limit is needed because pictures of unused registrations are stored for 30 days.
 */
export const registrationPictures = { times: 256 * 1024 * 1024, seconds: 86_400 } as const;

/**
 * Rate limits per person and server, independent of the IP address: `times` in `seconds`. Refused calls that cost nothing are
 * not counted. The limits are far above normal use. Receiver lookups are limited because they reveal names. Uploads, changes
 * and additions (of payees and scheduled transfers) are limited because they cost work and mails. `misses` limits lookups and
 * transfers whose receiver doesn't exist, so that account numbers cannot be enumerated.
 */
export const personQuotas = {
  uploads: { times: 60, seconds: 3600 },
  lookups: { times: 60, seconds: 60 },
  changes: { times: 60, seconds: 3600 },
  additions: { times: 200, seconds: 3600 },
  exports: { times: 60, seconds: 3600 },
  dataCopies: { times: 5, seconds: 86_400 },
  misses: { times: 200, seconds: 3600 },
} as const;

/** Copies of all data about a customer: how many are stored per customer, and for how many days after they are ready. */
export const dataCopies = { stored: 5, days: 7 } as const;

/**
 * How many payments from one sender to one receiver are announced by mail in each clock hour. Without this limit, customers
 * could send spam as the descriptions of one-cent payments. A daily summary covers every payment, without descriptions.
 */
export const mailedPayments = { perHour: 5 } as const;

/**
 * If more than `from` mails wait for one customer, they are sent as one summary, which collects mails for `collectSeconds`.
 * Daily summaries are sent at `hour` in New York. A summary covers at most `max` waiting mails. It lists `listed` transfers and
 * says how many more there are. A mail about a large payment out is always sent alone.
 */
export const summaryMails = { from: 10, collectSeconds: 60, hour: 18, listed: 50, max: 1_000 } as const;

export const idempotencyKey = { minLength: 8, maxLength: 128 } as const;

/** Maximum lengths of texts, in characters after trimming. */
export const maxLength = {
  name: 60,
  address: 200,
  region: 80,
  city: 80,
  zipCode: 12,
  email: 254,
  description: 140,
  bankName: 100,
  accountName: 100,
  externalAccountNumber: 34,
  subject: 140,
  message: 4000,
  search: 100,
  nickname: 40,
  note: 2000,
  passkeyName: 60,
  reason: 500,
  pushEndpoint: 500,
  pushKey: 100,
} as const;

/**
 * How long requests for a second approval wait, and how long administrators' one-time links to set a password work. A disabled
 * operator or owner still counts as a second person for `leaverDays`, so that an owner cannot disable a colleague to act alone.
 * A credit warns of an equal one (customer, amount, description) in the last `sameCreditDays`. If it needs no second person,
 * the browser searches the customer's newest `sameCreditsRead` credits, in which equal ones are already merged into one.
 */
export const staff = {
  requestDays: 7,
  linkHours: 48,
  leaverDays: 3,
  fourEyesFromDollars: 100_000,
  sameCreditDays: 7,
  sameCreditsRead: 50,
} as const;

/** On how many devices a customer can get push notifications. */
export const push = { maxDevices: 10 } as const;

/** How many payees a customer can save. */
export const payees = { max: 200 } as const;

/**
 * Scheduled transfers. A customer can have `max` that have not ended, each with at most `maxCount` dates. They run from
 * `runHour` in New York; if there is too little money, they are tried again at `retryHours`. For `missedDays`, a missed date
 * still runs without asking the customer. First and last dates can be chosen up to `maxYears` ahead.
 */
export const scheduled = {
  max: 200,
  maxCount: 1000,
  runHour: 6,
  retryHours: [12, 18],
  missedDays: 3,
  maxYears: 100,
} as const;
/** How many savings goals a customer can have. */
export const goals = { max: 20 } as const;

/** Authenticator apps (RFC 6238), with the parameters that every app supports. */
export const totp = { digits: 6, stepSeconds: 30, stepsAside: 1, setupSeconds: 900 } as const;

export const recoveryCodes = { count: 10, letters: 12 } as const;

export const passkeys = { max: 20, challengeSeconds: 300 } as const;

/**
 * A second factor that is added at most `loginSeconds` after the login can confirm step-ups at once. A factor added later must
 * wait `waitHours`, because a thief of a session could have added it. Every new factor must wait while the account is frozen.
 * A factor that is added within `waitHours` after a password reset by mail or a change of the email by staff waits twice as
 * long.
 */
export const factorTrust = { loginSeconds: 600, waitHours: 24 } as const;

/**
 * If staff remove a customer's second factors, the removal takes effect after `waitHours`. Until then, a login with one of the
 * factors stops it. A password reset by mail, a change of the email by staff or a restore of the bank postpones the removal to
 * `postponedHours` after that event.
 */
export const factorReset = { waitHours: 24, postponedHours: 48 } as const;

export const externalAccountNumber = { min: 4, max: 34 } as const;

/** Maximum size of a JSON body, in bytes. */
export const maxJsonBytes = 64 * 1024;

/**
 * Sanctions screening: names with at least this similarity (0 to 1) are a match, which staff must decide. Every pair of the
 * words of a long name is looked up, so an applicant's whole name can have at most `maxWords`. Each screening of a person
 * stores at most the `maxMatches` strongest undecided matches: a name of frequent words resembles hundreds of entries, and a
 * stranger can register many such names. When these matches are decided, the next ones are stored, so none is lost.
 */
export const screening = { threshold: 0.9, maxWords: 12, maxMatches: 20 } as const;

/**
 * A plain email address: an unquoted local part, `@`, a domain with a dot (RFC 5322 addr-spec in dot-atom form). Rejects
 * addresses that mail programs would decode as an encoded word (RFC 2047). Here, and not with the other field rules, because
 * the contact form does not load these.
 */
export const emailPattern =
  /^(?!.*=\?)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;
