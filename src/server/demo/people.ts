/**
 * The people of the demo data, all invented. Some are frozen, not verified or waiting for approval. Their emails end in
 * `.example`, so no mail can reach anyone.
 */

export type DemoCustomer = {
  /** Also names the portrait in `portraits/`. */
  key: string;
  firstName: string;
  middleName?: string;
  lastName: string;
  gender: 'male' | 'female';
  email: string;
  address: string;
  region: string;
  zipCode: string;
  city: string;
  /** `YYYY-MM-DD`. */
  dateOfBirth: string;
  phoneNumber: string;
  state: 'approved' | 'pending' | 'frozen';
  isVerified: boolean;
  hasIdCard: boolean;
  /** Balance at the end of the history, in cents. */
  balanceCents: bigint;
  /** What this person demonstrates, for the console and the README; absent if nothing special. */
  shows?: string;
};

/** The password of every demo customer. */
export const demoPassword = '80412975';

export const demoAdmin = {
  email: 'margit.sole@larkspur.example',
  name: 'Margit Sole',
  password: 'meadow-larks-at-dawn',
} as const;

type Given = Omit<DemoCustomer, 'state' | 'isVerified' | 'hasIdCard' | 'phoneNumber'> &
  Partial<Pick<DemoCustomer, 'state' | 'isVerified' | 'hasIdCard'>>;

let lastPhone = 2125550110;
function customer(given: Given): DemoCustomer {
  lastPhone += 7;
  return { state: 'approved', isVerified: true, hasIdCard: true, phoneNumber: String(lastPhone), ...given };
}

export const demoCustomers: readonly DemoCustomer[] = [
  customer({
    key: 'amara',
    firstName: 'Amara',
    lastName: 'Lindqvist',
    gender: 'female',
    email: 'amara@lindqvist.example',
    address: '7 Foxglove Lane',
    region: 'New York',
    zipCode: '10014',
    city: 'New York',
    dateOfBirth: '1988-05-14',
    balanceCents: 1_248_036n,
    shows: 'a year of history',
  }),
  customer({
    key: 'ines',
    firstName: 'Ines',
    lastName: 'Caldeira',
    gender: 'female',
    email: 'ines.caldeira@posta.example',
    address: '22 Harbour Street',
    region: 'New Jersey',
    zipCode: '07030',
    city: 'Hoboken',
    dateOfBirth: '1979-11-02',
    balanceCents: 390_612n,
    shows: 'someone to send money to',
  }),
  customer({
    key: 'maximiliana',
    firstName: 'Maximiliana Theodora',
    lastName: 'Bartholomew-Fitzgerald',
    gender: 'female',
    email: 'maximiliana.bartholomew@longmeadow.example',
    address: '1 Long Meadow Park',
    region: 'Connecticut',
    zipCode: '06830',
    city: 'Greenwich',
    dateOfBirth: '1951-03-28',
    balanceCents: 1_234_567_890n,
    shows: 'a large balance and a long name',
  }),
  customer({
    key: 'tobias',
    firstName: 'Tobias',
    lastName: 'Fenn',
    gender: 'male',
    email: 't.fenn@harbourmail.example',
    address: '140 Quay Road',
    region: 'New York',
    zipCode: '11231',
    city: 'New York',
    dateOfBirth: '1993-07-19',
    balanceCents: 84_107n,
  }),
  customer({
    key: 'noor',
    firstName: 'Noor',
    lastName: 'Haddad',
    gender: 'female',
    email: 'noor.haddad@souk.example',
    address: '9 Saffron Court',
    region: 'New York',
    zipCode: '10003',
    city: 'New York',
    dateOfBirth: '1985-01-30',
    isVerified: false,
    balanceCents: 2_731_055n,
    shows: 'ID document not verified yet',
  }),
  customer({
    key: 'mateo',
    firstName: 'Mateo',
    lastName: 'Brandt',
    gender: 'male',
    email: 'mateo@brandtroofing.example',
    address: '58 Slate Hill',
    region: 'Pennsylvania',
    zipCode: '18301',
    city: 'East Stroudsburg',
    dateOfBirth: '1974-09-08',
    state: 'frozen',
    balanceCents: 902_000n,
    shows: 'a frozen account',
  }),
  customer({
    key: 'wren',
    firstName: 'Wren',
    lastName: 'Okafor',
    gender: 'female',
    email: 'wren.okafor@papermill.example',
    address: '3 Papermill Yard',
    region: 'New York',
    zipCode: '12508',
    city: 'Beacon',
    dateOfBirth: '1996-12-05',
    balanceCents: 16_844n,
  }),
  customer({
    key: 'saoirse',
    firstName: 'Saoirse',
    lastName: 'Kelleher',
    gender: 'female',
    email: 'saoirse@violaroom.example',
    address: '31 Bow Street',
    region: 'Massachusetts',
    zipCode: '02143',
    city: 'Somerville',
    dateOfBirth: '1990-02-22',
    balanceCents: 547_731n,
  }),
  customer({
    key: 'jun',
    firstName: 'Jun',
    lastName: 'Takeda',
    gender: 'female',
    email: 'jun.takeda@inkstone.example',
    address: '12 Inkstone Way',
    region: 'New York',
    zipCode: '11101',
    city: 'New York',
    dateOfBirth: '1999-06-17',
    isVerified: false,
    hasIdCard: false,
    balanceCents: 0n,
    shows: 'new and empty, no ID document',
  }),
  customer({
    key: 'hollis',
    firstName: 'Hollis',
    lastName: 'Vane',
    gender: 'male',
    email: 'h.vane@northquay.example',
    address: '77 North Quay',
    region: 'Rhode Island',
    zipCode: '02906',
    city: 'Providence',
    dateOfBirth: '1968-10-11',
    balanceCents: 125_490n,
  }),
  customer({
    key: 'studio',
    firstName: 'Halden & Moor',
    lastName: 'Studio',
    gender: 'female',
    email: 'payroll@haldenmoor.example',
    address: '200 Foundry Row',
    region: 'New York',
    zipCode: '10013',
    city: 'New York',
    dateOfBirth: '1982-04-04',
    balanceCents: 18_640_275n,
  }),
  customer({
    key: 'odile',
    firstName: 'Odile',
    lastName: 'Marchetti',
    gender: 'female',
    email: 'odile@marchetti.example',
    address: '5 Vine Terrace',
    region: 'New York',
    zipCode: '10562',
    city: 'Ossining',
    dateOfBirth: '1987-08-25',
    state: 'pending',
    isVerified: false,
    balanceCents: 0n,
    shows: 'waiting for approval',
  }),
  customer({
    key: 'rufus',
    firstName: 'Rufus',
    lastName: 'Alder',
    gender: 'male',
    email: 'rufus.alder@orchard.example',
    address: '88 Orchard Path',
    region: 'Vermont',
    zipCode: '05401',
    city: 'Burlington',
    dateOfBirth: '2001-03-09',
    state: 'pending',
    isVerified: false,
    hasIdCard: false,
    balanceCents: 0n,
  }),
  customer({
    key: 'petra',
    firstName: 'Petra',
    lastName: 'Sundgren',
    gender: 'female',
    email: 'petra@sundgren.example',
    address: '16 Birch Close',
    region: 'Maine',
    zipCode: '04101',
    city: 'Portland',
    dateOfBirth: '1977-05-31',
    state: 'pending',
    isVerified: false,
    balanceCents: 0n,
  }),
];
