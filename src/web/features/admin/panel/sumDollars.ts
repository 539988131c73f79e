/** Returns the sum in dollars, added in whole cents. */
export const sumDollars = (...amounts: readonly (number | undefined)[]) =>
  amounts.reduce<number>((cents, dollars = 0) => cents + Math.round(dollars * 100), 0) / 100;
