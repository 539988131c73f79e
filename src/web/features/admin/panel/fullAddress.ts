/** A customer's postal address on one line. */
type Address = { address: string; city?: string | null | undefined; region: string; zipCode: string };

export function fullAddress({ address, city, region, zipCode }: Address): string {
  return [address, city, `${region} ${zipCode}`].filter(Boolean).join(', ');
}
