/** What an entry of the history brings to a door of the bank: why somebody came, where they want to go, and how far they had got. */

/**
 * From another screen: what to say, and the path that was wanted. From the step before: whose code is awaited, and since when
 * (milliseconds since 1970). Never a secret: the browser keeps it.
 */
export type Arrival = { say?: string; wanted?: string; email?: string; sentAtMs?: number } | null;

/** What of it goes along to another door, so that whoever gets in at last still comes to what they asked for. */
export function wantedOf(arrival: Arrival): { wanted: string } | null {
  return arrival?.wanted ? { wanted: arrival.wanted } : null;
}

/** Where a login leads: the path that was wanted, when it is one of the customer's own screens, else the dashboard. */
export function destinationOf(arrival: Arrival): string {
  const wanted = arrival?.wanted;
  return wanted && /^\/(dashboard|transfer)([/?]|$)/.test(wanted) ? wanted : '/dashboard';
}
