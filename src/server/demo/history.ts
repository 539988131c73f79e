/**
 * Plans a year of demo transactions: who pays whom, when and why. The plan is the same on every machine, except that its
 * dates end today. It balances each person's year with an opening credit and savings: see `planBalancing`.
 */
import { type DemoCustomer, demoCustomers } from './people.ts';

export type DemoEvent = {
  at: Date;
  type: 'transfer' | 'admin-credit' | 'external-transfer' | 'deposit' | 'goal';
  /** Key of a demo customer; absent if the money comes from the bank, another bank or a goal. */
  from?: string;
  to?: string;
  cents: bigint;
  description: string;
  /** The savings goal that money goes into (`from` set) or comes out of (`to` set): a name in `amarasGoals`. */
  goal?: string;
  /** Where an external transfer goes, or where a deposit comes from. */
  bank?: { bankName: string; accountName: string; accountNumber: string };
  /** The outcome of an external transfer, this many business days later; absent while it is pending. */
  decided?: { afterDays: number; isSettled: boolean };
};

/** A small pseudo-random number generator (mulberry32), so that the plan is always the same. */
export function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const dayMs = 86_400_000;
const roofing = { bankName: 'Wells Fargo', accountName: 'Brandt Roofing', accountNumber: '40218836117' };
const atlases = { bankName: 'UBS', accountName: 'Alpenverlag Thun', accountNumber: 'CH5604835012345678009' };
const returning = { bankName: 'Barclays', accountName: 'Hollis Vane', accountNumber: '73120840000' };
const power = {
  bankName: 'JPMorgan Chase',
  accountName: 'Hudson Light & Power',
  accountNumber: '000911284471',
};
const market = { bankName: 'TD Bank', accountName: 'Meadow Market', accountNumber: '6402215509' };
const college = { bankName: 'TD Bank', accountName: 'Fairview College Payroll', accountNumber: '' };
const savings = { bankName: 'Citibank', accountName: 'Savings account', accountNumber: '7750918264' };

/** Amara's saved payees, each a demo customer by key or an account at another bank. */
export const amarasPayees: readonly { to?: string; bank?: DemoEvent['bank']; nickname?: string }[] = [
  { to: 'ines' },
  { to: 'saoirse', nickname: 'Viola teacher' },
  { to: 'wren' },
  { bank: power },
  { bank: market },
  { bank: roofing },
];

/** Amara's monthly scheduled transfers, each to a demo customer by key or to an account at another bank. */
export const amarasSchedules: readonly {
  day: number;
  to?: string;
  bank?: NonNullable<DemoEvent['bank']>;
  cents: bigint;
  description: string;
}[] = [
  { day: 3, to: 'ines', cents: 98_000n, description: 'Rent share' },
  { day: 6, bank: power, cents: 9_500n, description: 'Electricity' },
];

/**
 * Amara's savings goals. In the history she saves `cents` on the day `day` of each month, beginning `since` months ago.
 * After the history, a rule saves `friday` cents every Friday.
 */
export const amarasGoals = [
  {
    name: 'Sailing in Maine',
    picture: 'trip',
    target: 240_000n,
    monthsAhead: 8,
    cents: 20_000n,
    day: 2,
    since: 6,
    friday: 5_000n,
  },
  { name: 'New viola', picture: 'star', target: 180_000n, cents: 7_500n, day: 9, since: 9 },
] as const;

const lunches = [
  'Lunch, twice',
  'Coffee beans',
  'Concert tickets',
  'Train to Beacon',
  'Birthday flowers',
  'Paper and ink',
];
const spenders = ['amara', 'ines', 'tobias', 'wren', 'saoirse', 'noor', 'hollis', 'maximiliana'];

/** Every event of the twelve months before `now`, in chronological order. */
export function planHistory(now: Date): DemoEvent[] {
  const random = makeRandom(1914);
  const events: DemoEvent[] = [];
  const between = (low: number, high: number) => BigInt(Math.round(low + random() * (high - low)));
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  /** A time on a day `monthsAgo` months back; by default during the day in New York. */
  const onDay = (monthsAgo: number, day: number, hour = 9 + Math.floor(random() * 9)) =>
    new Date(
      Date.UTC(
        now.getUTCFullYear(),
        now.getUTCMonth() - monthsAgo,
        day,
        hour + 5,
        Math.floor(random() * 60),
        Math.floor(random() * 60),
      ),
    );
  const addEvent = (event: DemoEvent) => {
    if (event.at < now) events.push(event);
  };
  const pay = (at: Date, from: string, to: string, cents: bigint, description: string) =>
    addEvent({ at, type: 'transfer', from, to, cents, description });
  const payBank = (
    at: Date,
    cents: bigint,
    description: string,
    bank: NonNullable<DemoEvent['bank']>,
    decided?: DemoEvent['decided'],
  ) =>
    addEvent({
      at,
      type: 'external-transfer',
      from: 'amara',
      cents,
      description,
      bank,
      ...(decided && { decided }),
    });
  const settled = (afterDays: number) => ({ afterDays, isSettled: true });

  for (let month = 11; month >= 0; month--) {
    const name = onDay(month, 15).toLocaleDateString('en-US', { month: 'long', timeZone: 'UTC' });
    // Paid on the first of the month, so that the current month always shows income before spending.
    pay(onDay(month, 1, 0), 'studio', 'amara', month === 7 ? 548_000n : 411_550n, `Salary, ${name}`);
    pay(onDay(month, 1, 0), 'studio', 'wren', 286_000n, `Salary, ${name}`);
    pay(onDay(month, 1, 0), 'studio', 'tobias', 312_475n, `Salary, ${name}`);
    pay(onDay(month, 3), 'amara', 'ines', 98_000n, `Rent share, ${name}`);
    pay(onDay(month, 4), 'amara', 'saoirse', 22_000n, 'Viola lessons');
    pay(onDay(month, 2), 'studio', 'maximiliana', 1_450_000n, `Foundry Row, rent, ${name}`);
    pay(onDay(month, 5), 'wren', 'hollis', 140_000n, `Rent, ${name}`);
    pay(onDay(month, 6), 'tobias', 'noor', 155_000n, `Rent, ${name}`);
    pay(onDay(month, 8), 'noor', 'mateo', between(9_000, 42_000), 'Repairs at Saffron Court');
    pay(onDay(month, 10), 'hollis', 'ines', between(4_000, 16_000), 'Shared boat mooring');
    pay(onDay(month, 17), 'maximiliana', 'saoirse', 60_000n, 'Scholarship fund');
    payBank(onDay(month, 6), between(6_100, 13_900), 'Electricity', power, settled(5));
    payBank(onDay(month, 7), between(52_000, 81_000), 'Food and household', market, settled(4));
    // In the current month, Amara pays for gutters instead of saving.
    if (month > 0)
      payBank(onDay(month, 24), month === 4 ? 60_000n : 120_000n, 'Savings', savings, settled(5));
    for (let i = 0; i < 15; i++) {
      const [from, to] = [pick(spenders), pick(spenders)];
      if (from !== to)
        pay(onDay(month, 1 + Math.floor(random() * 27)), from, to, between(450, 9_800), pick(lunches));
    }
  }
  /** A time this many days ago, during the day in New York whatever the current hour is. */
  const daysAgo = (days: number) => {
    const at = new Date(now.getTime() - days * dayMs);
    at.setUTCHours(15 + (days % 6), (days * 17) % 60);
    return at;
  };
  payBank(onDay(4, 18), 215_000n, 'New roof', roofing, settled(4));
  payBank(onDay(1, 6), 9_640n, 'Two atlases', atlases, settled(6));
  payBank(onDay(1, 23), 42_000n, 'Mooring, returned', returning, { afterDays: 4, isSettled: false });
  payBank(daysAgo(2), 118_000n, 'Gutters', roofing);
  addEvent({
    at: onDay(1, 27),
    type: 'admin-credit',
    to: 'amara',
    cents: 13_500n,
    description: 'Card fee refund',
  });
  addEvent({ at: onDay(6, 21), type: 'admin-credit', to: 'wren', cents: 5_000n, description: 'Goodwill' });
  addEvent({ at: daysAgo(7), type: 'deposit', to: 'amara', cents: 62_000n, description: '', bank: college });
  pay(daysAgo(5), 'tobias', 'amara', 6_450n, 'Concert tickets');
  pay(daysAgo(8), 'studio', 'amara', 13_840n, 'Travel costs');
  pay(daysAgo(10), 'amara', 'wren', 3_820n, 'Lunch, twice');
  pay(daysAgo(1), 'amara', 'ines', 25_000n, 'Weekend in Vermont');

  for (const { name: goal, cents, day, since } of amarasGoals)
    for (let month = since; month >= 0; month--) {
      const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - month, day, 20, day));
      addEvent({ at, type: 'goal', from: 'amara', goal, cents, description: '' });
    }
  const { name: goal } = amarasGoals[1];
  addEvent({ at: daysAgo(40), type: 'goal', to: 'amara', goal, cents: 12_000n, description: '' });

  const opened = new Date(Math.min(...events.map(event => event.at.getTime())) - dayMs);
  const balancing = demoCustomers.flatMap(customer => planBalancing(customer, events, opened, now));
  return [...balancing, ...events].sort((a, b) => a.at.getTime() - b.at.getTime());
}

/** The effect of an event on a person's balance, in cents; zero for a returned transfer. */
function effectOn(key: string, event: DemoEvent): bigint {
  if (event.from === key && event.decided?.isSettled !== false) return -event.cents;
  return event.to === key ? event.cents : 0n;
}

/**
 * The opening credit and, if that leaves too much at the end, savings sent to another bank. With both, the balance never goes
 * below zero and is exactly as intended at the end of the year.
 */
function planBalancing(
  { key, balanceCents }: DemoCustomer,
  events: DemoEvent[],
  opened: Date,
  now: Date,
): DemoEvent[] {
  const own = events
    .filter(event => event.from === key || event.to === key)
    .sort((a, b) => a.at.getTime() - b.at.getTime());
  if (own.length === 0 && balanceCents === 0n) return [];
  const net = own.reduce((sum, event) => sum + effectOn(key, event), 0n);
  // A returned transfer is missing from the balance until it comes back, so here it counts in full.
  const steps = own.map(event => ({ at: event.at, cents: event.from === key ? -event.cents : event.cents }));
  const lowest = lowestAfter(steps, 0n, opened);
  const needed = balanceCents - net;
  const opening = [needed, 50_000n, 50_000n - lowest].reduce((a, b) => (a > b ? a : b));

  const savings: DemoEvent[] = [];
  let rest = opening - needed;
  const last = own.at(-1)?.at ?? opened;
  const monthly = Array.from({ length: 11 }, (_, i) => new Date(now.getTime() - (339 - 30 * i) * dayMs));
  const dates = [...monthly.filter(at => at > opened && at < last), new Date(last.getTime() + 60_000)];
  for (const [place, at] of dates.entries()) {
    const spare = lowestAfter(steps, opening, at);
    // Even shares for all dates but the last, which takes what the earlier ones could not spare.
    const share = rest / BigInt(Math.max(dates.length - 1 - place, 1));
    const cents = share < spare ? share : spare;
    if (cents <= 0n) continue;
    rest -= cents;
    steps.push({ at, cents: -cents });
    savings.push({
      at,
      type: 'external-transfer',
      from: key,
      cents,
      description: 'Savings',
      bank: { bankName: 'Citibank', accountName: 'Savings account', accountNumber: `77${key.length}0918264` },
      decided: { afterDays: 5, isSettled: true },
    });
  }
  return [
    { at: opened, type: 'admin-credit', to: key, cents: opening, description: 'Opening balance' },
    ...savings,
  ];
}

/** The lowest balance from `since` to the end of a year that starts with `opening`. */
function lowestAfter(steps: { at: Date; cents: bigint }[], opening: bigint, since: Date): bigint {
  let running = opening;
  let lowest: bigint | undefined;
  for (const { at, cents } of [...steps].sort((a, b) => a.at.getTime() - b.at.getTime())) {
    if (at >= since && (lowest === undefined || running < lowest)) lowest = running;
    running += cents;
  }
  return lowest === undefined || running < lowest ? running : lowest;
}
