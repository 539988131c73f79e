/** A customer's postal address on one line. */
import type { Application } from '#contract/entities.ts';

export function fullAddress({ address, city, region, zipCode }: Application): string {
  return [address, city, `${region} ${zipCode}`].filter(Boolean).join(', ');
}
