/** Sanctions screening: the import of a list, the matches with applicants and customers, and the decisions about them. */
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { adminCustomersApi } from '#contract/adminCustomers.ts';
import { authApi } from '#contract/auth.ts';
import * as adminMessages from '#contract/messages/admin.ts';
import * as screeningMessages from '#contract/messages/screening.ts';
import { type ScreeningHit, screeningApi } from '#contract/screening.ts';
import { settingsApi } from '#contract/settings.ts';
import { screenAllCustomers } from '#server/jobs/screenCustomers.ts';
import { importList, type ListEntry, screenByList } from '#server/people/sanctionsList.ts';
import { listScreeningStates, screenNextCustomers } from '#server/people/screening.ts';
import { expectRefusal } from '../../../tests/expectRefused.ts';
import { countRowsRead, listSeqScans } from '../../../tests/queryPlans.ts';
import { readZip } from '../../../tests/readZip.ts';
import { seedCustomer } from '../../../tests/seedCustomers.ts';
import { eventually, openTestBank, type TestBank } from '../../../tests/server.ts';
import type { Tx } from '../db/database.ts';
import { writeEverything } from '../jobs/everything.ts';
import { registerCustomer } from './registration.ts';

let bank: TestBank;
let token: string;
beforeAll(async () => {
  // Without jobs: the tests run the screening themselves.
  bank = await openTestBank({ JOBS: 'off' });
  token = await bank.adminToken();
});
afterAll(() => bank.close());

const entry = (id: string, name: string, more: Partial<ListEntry> = {}): ListEntry => ({
  id,
  name,
  aliases: [],
  dateOfBirth: '1961-04-02',
  program: 'Test program',
  ...more,
});
const petrov = entry('SDN-1', 'PETROV, Ivan', { aliases: ['Vanya Petroff'] });

async function importAndScreen(...entries: ListEntry[]) {
  const { database } = bank.bank.parts;
  const importId = await database.inTransaction(tx => importList(tx, entries));
  await screenAllCustomers(database, { importId });
}
const applicant = async (firstName: string, lastName: string) => {
  const { status, body } = await bank.call(authApi.register, { body: bank.form({ firstName, lastName }) });
  expect(status).toBe(201);
  return body.data._id;
};
/** Registers a person without a call of the API. By default, the name has more words than most. */
async function registerDirectly(
  parts: Parameters<typeof registerCustomer>[0],
  email: string,
  firstName = 'Ana Maria del Carmen',
) {
  const fields = bank.form({ firstName, email });
  const avatar = { bytes: Buffer.from(await (fields.get('avatar') as File).arrayBuffer()), filename: '' };
  const form = Object.fromEntries(fields) as never;
  return await registerCustomer(parts, { form, avatar, idCard: undefined, address: '192.0.2.7' });
}
/** The bank's secrets, which call `onHash` when a password has been hashed. */
const secretsThat = (onHash: () => void) => ({
  ...bank.bank.parts.secrets,
  get pepper() {
    onHash();
    return bank.bank.parts.secrets.pepper;
  },
});
/** The ids of the entries that a person of this name resembles. */
const find = async (firstName: string, lastName: string, middleName = '') => {
  const [found] = await screenByList(bank.bank.parts.database.reader, [{ firstName, middleName, lastName }]);
  return found!.map(({ entryId }) => entryId);
};
const hitsOf = async (id: string) =>
  (await bank.call(screeningApi.customerScreening, { token, params: { id } })).body.data;
const queue = async () =>
  (await bank.call(screeningApi.screening, { token, query: { limit: 100 } })).body.data;
const approve = (id: string) => bank.call(adminApi.approve, { token, params: { id } });
const waiting = async (id: string) =>
  (await bank.call(adminApi.approvalQueue, { token, query: { sort: 'newest' } })).body.data.customers.find(
    ({ _id }) => _id === id,
  );
const decide = (hit: ScreeningHit | undefined, isMatch: boolean) =>
  bank.call(screeningApi.decideHit, {
    token,
    params: { id: hit!._id },
    body: { isMatch, reason: 'Compared the ID documents' },
  });

function expectConflict(
  answer: Parameters<typeof expectRefusal>[0] & { body: { message: string } },
  message: string,
) {
  expectRefusal(answer, 'CONFLICT');
  expect(answer.body.message).toBe(message);
}

test('until the first import no applicant is screened, and approvals work as usual [SX-03]', async () => {
  const id = await applicant('Ivan', 'Petrov');
  expect(await queue()).toEqual({ hits: [], currentPage: 1, totalPages: 1, totalHits: 0, open: 0 });
  expect((await approve(id)).body.message).toBe('Account approved');
});

test('additional given names or last names do not hide an applicant from the list [SX-01]', async () => {
  await importAndScreen(petrov);
  const more = 'Konstantin Alexander Sebastian Maximilian Bartholomew';
  for (const [first, last] of [
    [`Ivan ${more}`, 'Petrov'],
    ['Ivan', `${more} Petrov`],
    ['Ivan', `Petrov ${more}`],
    [`1vən ${more}`, 'P3tr0v'],
    ['Al Bo Cy Di Ed Flo Gus Hal Ike Jo Ivan', 'Petrov'],
  ] as const)
    expect(await hitsOf(await applicant(first, last)), `${first} ${last}`).toHaveLength(1);
  expect(await hitsOf(await applicant('Ivan', more))).toEqual([]);
});

test('a short listed name is found among one or two long names [SX-01]', async () => {
  await importAndScreen(
    entry('ALI', 'Ali Khan'),
    entry('KIM', 'Kim Li'),
    entry('HASSAN', 'Omar Hassan'),
    entry('OMAR', 'Omar Faruk Aziz'),
  );
  for (const [entryId, first, last, middle] of [
    ['ALI', 'Ali Abdulrahman', 'Khan Mohammadzai'],
    ['ALI', 'Ali Abdulrahman', 'Mohammadzai', 'Khan'],
    ['ALI', 'Mohammadzai Khan', 'Konstantinopolsky Aly'],
    ['ALI', 'Al1 Abdulrahman', 'Kh4n Mohammadzai'],
    ['ALI', 'Ali', 'Khan Wolfeschlegelsteinhausen'],
    ['ALI', 'Aly', 'Khan Konstantinopolsky'],
    ['HASSAN', 'Omer Alexander', 'Hassan Rodriguez'],
    ['KIM', 'Kim Alexander', 'Li Christopher'],
    ['OMAR', 'Omar Faruk', 'Aziz Wolfeschlegelsteinhausenbergerdorff'],
  ] as const)
    expect(await find(first, last, middle), `${first} ${middle ?? ''} ${last}`).toEqual([entryId]);
  expect(await find('Ali Abdulrahman', 'Mohammadzai')).toEqual([]);
});

test('a batch of long names is looked up a few at a time, because one statement would run into its timeout [SX-06]', async () => {
  const { reader } = bank.bank.parts.database;
  const people = Array.from({ length: 20 }, (_, n) => ({
    firstName: 'Ana Maria del Carmen',
    middleName: '',
    lastName: `Ruiz ${'o'.repeat(n + 2)}rtega`,
  }));
  const names: number[] = [];
  const counting = reader.withPlugin({
    transformQuery({ node }) {
      names.push((node as unknown as { parameters: [{ value: string[] }] }).parameters[0].value.length);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await screenByList(counting, people);
  expect(names.reduce((sum, n) => sum + n)).toBeGreaterThan(100);
  expect(Math.max(...names)).toBeLessThanOrEqual(20);
});

test('long names are screened one at a time, so that a flood of them leaves the database to customers [SX-06]', async () => {
  const { database, files } = bank.bank.parts;
  const events: string[] = [];
  let hashed = 0;
  const parts = {
    files: {
      ...files,
      put(...picture: Parameters<typeof files.put>) {
        events.push('begins');
        return files.put(...picture);
      },
    },
    secrets: secretsThat(() => hashed++),
    database: {
      ...database,
      async inTransaction<T>(work: (tx: Tx) => Promise<T>) {
        await eventually(() => (hashed === 3 ? true : undefined));
        const done = await database.inTransaction(work);
        events.push('ends');
        return done;
      },
    },
  };
  await Promise.all([1, 2, 3].map(n => registerDirectly(parts, `parallel${n}@quist.example`)));
  expect(events).toEqual(Array.from({ length: 3 }, () => ['begins', 'ends']).flat());
});

test('names of up to four words do not wait for each other, even with digits and look-alikes [SX-06]', async () => {
  const { database, files, secrets } = bank.bank.parts;
  let begun = 0;
  const parts = {
    secrets,
    files: {
      ...files,
      put(...picture: Parameters<typeof files.put>) {
        begun++;
        return files.put(...picture);
      },
    },
    database: {
      ...database,
      async inTransaction<T>(work: (tx: Tx) => Promise<T>) {
        await eventually(() => (begun === 3 ? true : undefined));
        return await database.inTransaction(work);
      },
    },
  };
  await Promise.all([1, 2, 3].map(n => registerDirectly(parts, `short${n}@quist.example`, 'О1е Р1о')));
  expect(begun).toBe(3);
});

test('a registration that waits too long for the screening of a long name, or for its pictures to be stored, is refused and opens no account, because its connection could time out [SX-06] [VS-07]', async () => {
  const now = performance.now.bind(performance);
  let waitedMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + waitedMs);
  onTestFinished(() => clock.mockRestore());
  const wait = () => {
    waitedMs += 12_001;
  };
  const { parts } = bank.bank;
  const put: typeof parts.files.put = (...picture) => {
    wait();
    return parts.files.put(...picture);
  };
  const email = 'late@quist.example';
  const screened = registerDirectly({ ...parts, secrets: secretsThat(wait) }, email);
  await expect(screened).rejects.toMatchObject({ code: 'BUSY' });
  const pictured = registerDirectly({ ...parts, files: { ...parts.files, put } }, email, 'Ana');
  await expect(pictured).rejects.toMatchObject({ code: 'BUSY' });
  const stored = await bank.test.database.ownerPool.query('SELECT FROM customers WHERE email = $1', [email]);
  expect(stored.rowCount).toBe(0);
});

test('a name of so many words that a listed name could hide among them is refused [SX-01]', async () => {
  await importAndScreen(petrov);
  const letters = (many: number) => 'ABCDEFGHIJKL'.slice(0, many).split('').join(' ');
  const register = (firstName: string) =>
    bank.call(authApi.register, { body: bank.form({ firstName, lastName: 'Petrov' }) });
  for (const first of [`${letters(11)} Ivan`, `${letters(11).replaceAll(' ', '.')}.Ivan`]) {
    const { status, body } = await register(first);
    expect({ status, message: body.message, errors: body.errors }).toEqual({
      status: 400,
      message: 'Please enter at most 12 names in all',
      errors: [{ field: 'firstName', message: 'Please enter at most 12 names in all' }],
    });
  }
  const longest = await register(`${letters(10)} Ivan`);
  expect(longest.status).toBe(201);
  expect(await hitsOf(longest.body.data._id)).toHaveLength(1);
});

test.each([
  ['letters of another script', 'ꓲꓦꓮꓠ', 'ꓑꓰꓔꓣꓳꓦ'],
  ['digits', '1van', 'Petr0v'],
  ['both names in the last one', 'A', 'IvanPetrovv'],
  ['both names in the first one, the last name first,', 'PetrovIvan', 'A'],
  ['spaces between the letters', 'I v a n', 'P e t r o v'],
])('%s do not hide an applicant from the list [SX-12]', async (_, firstName, lastName) => {
  await importAndScreen(petrov);
  expect(await hitsOf(await applicant(firstName, lastName))).toMatchObject([{ listed: { id: 'SDN-1' } }]);
});

test('a listed name that is split into pieces is found, and ordinary short names are not taken for its pieces [SX-12]', async () => {
  const { database } = bank.bank.parts;
  const listed = ['Ivan Petrov', 'Mohammed Alsayed', 'Kim Jong', 'Lin Ali', 'Mei Lin Do', 'Ro Lin Kim'];
  await importAndScreen(...listed.map((name, n) => entry(`${n}`, name)));
  const find = async (...names: [string, string][]) =>
    (
      await screenByList(
        database.reader,
        names.map(([firstName, lastName]) => ({ firstName, middleName: '', lastName })),
      )
    ).map((matches, i) => [names[i]!.join('/'), ...matches.map(({ name }) => name)]);
  const pieces: [string, string, string][] = [
    ['I.v.a.n', 'P.e.t.r.o.v', 'Ivan Petrov'],
    ['I·v·a·n', 'P_e_t_r_o_v', 'Ivan Petrov'],
    ['Iv an', 'Pe tr ov', 'Ivan Petrov'],
    ['P e t r o v', 'I v a n', 'Ivan Petrov'],
    ['I v a n Alexander', 'P e t r o v', 'Ivan Petrov'],
    ['A', 'I v a n P e t r o v', 'Ivan Petrov'],
    ['1 v 4 n', 'P 3 t r 0 v', 'Ivan Petrov'],
    ['Mo ha mm ed', 'Al sa ye d', 'Mohammed Alsayed'],
    ['K i m', 'J o n g', 'Kim Jong'],
  ];
  expect(await find(...pieces.map(([first, last]) => [first, last] as [string, string]))).toEqual(
    pieces.map(([first, last, name]) => [`${first}/${last}`, name]),
  );
  const ordinary: [string, string][] = [
    ['Li', 'Na'],
    ['Mei Lin', 'Levy'],
    ['Li Na', 'Kim'],
    ['J R', 'Kim'],
  ];
  expect(await find(...ordinary)).toEqual(ordinary.map(names => [names.join('/')]));
});

test('an import leaves nothing in the pending list of the index, which every search would have to read [SX-08]', async () => {
  const { database } = bank.bank.parts;
  const entries = Array.from({ length: 2000 }, (_, n) => entry(`NEW-${n}`, `Tarek Nasser ${n}`));
  await database.inTransaction(tx => importList(tx, entries));
  const { rows } = await bank.test.database.ownerPool.query<{ pages: string }>(
    "SELECT gin_clean_pending_list('screening_names_trigrams')::text AS pages",
  );
  expect(rows).toEqual([{ pages: '0' }]);
});

test('a listed name of letters that look like Latin ones is found in both scripts [SX-12]', async () => {
  await importAndScreen(entry('SDN-2', 'Оѕсаr Роре'));
  for (const lastName of ['Pope', 'Роре'])
    expect(await hitsOf(await applicant('Oscar', lastName))).toMatchObject([{ listed: { id: 'SDN-2' } }]);
});

test('a listed name of any alphabet is found, also with one letter changed [SX-12]', async () => {
  const listed = [
    'Сергей Ворон',
    'Γιώργος Παπαδόπουλος',
    'أحمد المصري',
    'משה כהן',
    '王 小明',
    'Sergei Voron',
  ];
  await importAndScreen(...listed.map((name, at) => entry(`SDN-${at}`, name)));
  expect(await find('СЕРГЕЙ', 'ВОРОН')).toEqual(['SDN-0']);
  expect(await find('Сергеи', 'Воронн')).toEqual(['SDN-0']);
  expect(await find('Γιωργος', 'Παπαδοπουλος')).toEqual(['SDN-1']);
  expect(await find('أحمد', 'المصري')).toEqual(['SDN-2']);
  expect(await find('משה', 'כהן')).toEqual(['SDN-3']);
  expect(await find('小明', '王')).toEqual(['SDN-4']);
  expect(await find('Sergei', 'Voron')).toEqual(['SDN-5']);
});

test('a Chinese, Korean or Japanese name that is listed without a space is found, whichever name is given as the first one [SX-12]', async () => {
  const listed = ['김정은', '王小明', '山田太郎', '李明', 'さとうはなこ'];
  await importAndScreen(...listed.map(name => entry(name, name)));
  for (const [name, ...words] of [
    ['김정은', '정은', '김'],
    ['王小明', '小明', '王'],
    ['山田太郎', '太郎', '山田'],
    ['李明', '明', '李'],
    ['さとうはなこ', 'はなこ', 'さとう'],
    // With other names, as a whole in one field, or in pieces.
    ['김정은', '정은 민수', '김'],
    ['王小明', 'Xiaoming 小明', 'Wang 王'],
    ['山田太郎', '健 太郎 一', '山田 花'],
    ['王小明', '王小明', 'Featherstonehaugh'],
    ['王小明', '小 明', '王'],
  ] as const) {
    const [first, last] = words;
    expect(await find(first, last), words.join('/')).toEqual([name]);
    expect(await find(last, first), words.toReversed().join('/')).toEqual([name]);
  }
  expect(await find('小', '王', '明')).toEqual(['王小明']);
  expect(await find('明', '王', '小')).toEqual(['王小明']);
  // Others who share a part of a listed name.
  expect(await find('정은', '박')).toEqual([]);
  expect(await find('小', '王')).toEqual([]);
  expect(await find('李明', '王')).toEqual([]);
  const { customerId: id } = await seedCustomer(bank.bank.parts.database, bank.bank.parts.tokens, {
    firstName: '정은',
    lastName: '박',
  });
  const body = { lastName: '김', reason: 'Saw the passport' };
  expect((await bank.call(adminCustomersApi.changeCustomer, { token, params: { id }, body })).status).toBe(
    200,
  );
  expect(await hitsOf(id)).toMatchObject([{ listed: { id: '김정은' }, state: 'open' }]);
  expect(await hitsOf(await applicant('小明', '王'))).toMatchObject([{ listed: { id: '王小明' } }]);
});

test('a name without letters is screened as the letters that it looks like, and staff can still change the name [SX-12]', async () => {
  await importAndScreen(petrov);
  const id = await registerDirectly(bank.bank.parts, 'pictured@larkspur.example', '🅸🆅🅰🅽');
  const rename = (body: object) =>
    bank.call(adminCustomersApi.changeCustomer, {
      token,
      params: { id },
      body: { ...body, reason: 'Passport' },
    });
  expect((await rename({ lastName: 'Petrov' })).status).toBe(200);
  expect(await hitsOf(id)).toMatchObject([{ listed: { id: 'SDN-1' } }]);
  for (const [body, message] of [
    [{ firstName: '🅸🆅🅰🅽' }, 'Please enter a name with at least one letter'],
    [{ lastName: '.' }, 'Please enter a name with at least one letter'],
    [{ middleName: 'Ann 🎉' }, 'Please enter a name without emoji or symbols'],
  ] as const) {
    const refused = await rename(body);
    expectRefusal(refused, 'VALIDATION');
    expect(refused.body.errors).toContainEqual({ field: Object.keys(body)[0], message });
  }
});

test('staff cannot give a customer a name of more than twelve words [SX-01]', async () => {
  const id = await applicant('Ada', 'Harlow');
  const body = { middleName: 'A B C D E F G H I J K', reason: 'Saw the passport' };
  const refused = await bank.call(adminCustomersApi.changeCustomer, { token, params: { id }, body });
  expectRefusal(refused, 'VALIDATION');
  const message = 'Please enter at most 12 names in all';
  expect(refused.body).toMatchObject({ message, errors: [{ field: 'middleName', message }] });
});

test('an applicant on the list can be approved only after the match is decided [SX-04]', async () => {
  await importAndScreen(petrov);
  const id = await applicant('Iván', 'Petrow');
  const [hit] = await hitsOf(id);
  const { body: applied } = await bank.call(adminApi.application, { token, params: { id } });
  expect(hit).toMatchObject({
    customer: {
      _id: id,
      fullName: 'Iván Petrow',
      accountNumber: applied.data.accountNumber,
      isApproved: false,
    },
    listed: { id: 'SDN-1', name: 'PETROV, Ivan', dateOfBirth: '1961-04-02', program: 'Test program' },
    state: 'open',
  });
  expectConflict(await approve(id), screeningMessages.undecided);
  const { status, body } = await decide(hit, false);
  expect({ status, state: body.data.state, by: body.data.decidedBy }).toEqual({
    status: 200,
    state: 'no-match',
    by: 'Ada Admin',
  });
  expectConflict(await decide(hit, true), screeningMessages.decidedBefore);
  expect((await approve(id)).status).toBe(200);
  const history = await bank.call(adminCustomersApi.customerHistory, { token, params: { id } });
  expect(history.body.data.records.filter(({ action }) => action.startsWith('screening.'))).toMatchObject([
    { action: 'screening.cleared', actorName: 'Ada Admin', reason: 'Compared the ID documents' },
    { action: 'screening.found', actorKind: 'system', details: 'list entry SDN-1' },
  ]);
});

test('a customer whose new name is on the list is a match as soon as the name changes [SD-29]', async () => {
  await importAndScreen(petrov);
  const id = await applicant('Ivan', 'Harlow');
  expect(await hitsOf(id)).toEqual([]);
  const body = { lastName: 'Petrov', reason: 'Saw the passport' };
  const changed = await bank.call(adminCustomersApi.changeCustomer, { token, params: { id }, body });
  expect(changed.status).toBe(200);
  expect(await hitsOf(id)).toMatchObject([{ listed: { id: 'SDN-1' }, state: 'open' }]);
});

test('an applicant with a confirmed match cannot be approved; the decision can be taken back [SX-05]', async () => {
  const id = await applicant('Vanya', 'Petroff');
  const [hit] = await hitsOf(id);
  await decide(hit, true);
  expectConflict(await approve(id), screeningMessages.confirmed);
  const reopen = () =>
    bank.call(screeningApi.reopenHit, { token, params: { id: hit!._id }, body: { reason: 'Wrong person' } });
  expect((await reopen()).body.data).toMatchObject({ state: 'open' });
  expectConflict(await reopen(), screeningMessages.openBefore);
  await decide(hit, false);
  expect((await approve(id)).status).toBe(200);
});

test('the approvals say who has an undecided or a confirmed match, even to administrators who viewed the application [SX-09]', async () => {
  const id = await applicant('Ivan', 'Petrov');
  await bank.call(adminApi.application, { token, params: { id } });
  const row = () => waiting(id);
  expect(await row()).toMatchObject({ isViewed: true, screening: 'open' });
  const [hit] = await hitsOf(id);
  await decide(hit, true);
  expect(await row()).toMatchObject({ screening: 'match' });
  const reopen = { token, params: { id: hit!._id }, body: { reason: 'Wrong person' } };
  await bank.call(screeningApi.reopenHit, reopen);
  await decide(hit, false);
  expect(await row()).not.toHaveProperty('screening');
  // The specification's call has no fields beyond the specified ones.
  const recorded = (await bank.call(adminApi.pendingApprovals, { token })).body.data;
  expect(Object.keys(recorded.find(({ _id }) => _id === id)!)).toEqual([
    '_id',
    'firstName',
    'lastName',
    'email',
    'accountNumber',
  ]);
});

test('the matches of a page of applicants are read by an index, however many there are [SX-09]', async () => {
  const { database, tokens } = bank.bank.parts;
  const people = await Promise.all(Array.from({ length: 3 }, () => seedCustomer(database, tokens)));
  await bank.test.database.ownerPool.query(
    `INSERT INTO screening_hits (id, customer_id, entry_id, match_hash, listed_name, date_of_birth, program, score)
     SELECT gen_random_uuid(), gen_random_uuid(), 'L-' || n, gen_random_uuid(), 'Someone', '', '', 90
       FROM generate_series(1, 5000) n`,
  );
  await bank.test.database.ownerPool.query('VACUUM ANALYZE screening_hits');
  const read = async (reader: Parameters<typeof screenByList>[0]) => {
    await listScreeningStates(
      reader,
      people.map(({ customerId }) => customerId),
    );
  };
  expect(await countRowsRead(database.pool, read)).toBeLessThan(10);
  expect(await listSeqScans(database.pool, read)).toEqual([]);
  await bank.test.database.ownerPool.query("DELETE FROM screening_hits WHERE listed_name = 'Someone'");
});

test('an applicant whose name was changed after the registration is compared with the list again before the approval [SX-04]', async () => {
  const id = await applicant('Nora', 'Quist');
  await bank.test.database.ownerPool.query(
    "UPDATE customers SET first_name = 'Ivan', last_name = 'Petrov' WHERE id = $1",
    [id],
  );
  expectConflict(await approve(id), screeningMessages.undecided);
  expect(await hitsOf(id)).toMatchObject([{ state: 'open' }]);
});

test('unfreezing needs a reason while a match is confirmed, or was and waits for a new decision; otherwise it needs none [SX-09]', async () => {
  const { database, tokens } = bank.bank.parts;
  const { customerId: id } = await seedCustomer(database, tokens, { firstName: 'Ivan', lastName: 'Petrov' });
  await importAndScreen(petrov);
  const freeze = (isFrozen: boolean, reason?: string) =>
    bank.call(adminApi.freeze, { token, params: { id }, body: { isFrozen, ...(reason && { reason }) } });
  expect((await freeze(true)).status).toBe(200);
  expect((await freeze(false)).status).toBe(200);
  await decide((await hitsOf(id))[0], true);
  expect((await freeze(true)).status).toBe(200);
  const { unfreezeConfirmed } = adminMessages;
  expectConflict((await freeze(false)) as never, unfreezeConfirmed.match);
  // The list changes, so the match waits for a new decision.
  for (const list of [[petrov], [{ ...petrov, dateOfBirth: '1961' }]]) {
    await importAndScreen(odile);
    expectConflict((await freeze(false)) as never, unfreezeConfirmed.open);
    await importAndScreen(...list);
  }
  expectConflict((await freeze(false)) as never, unfreezeConfirmed.open);
  expect((await freeze(false, 'The match was wrong')).body.data.isFrozen).toBe(false);
  expect((await freeze(true)).status).toBe(200);
  await decide((await hitsOf(id))[0], false);
  expect((await freeze(false)).status).toBe(200);
});

test('unfreezing needs a reason after staff took back that a match is confirmed [SX-09]', async () => {
  const { database, tokens } = bank.bank.parts;
  const { customerId: id } = await seedCustomer(database, tokens, { firstName: 'Ivan', lastName: 'Petrov' });
  await importAndScreen(petrov);
  const freeze = (isFrozen: boolean) =>
    bank.call(adminApi.freeze, { token, params: { id }, body: { isFrozen } });
  const [hit] = await hitsOf(id);
  await decide(hit, true);
  await freeze(true);
  await bank.call(screeningApi.reopenHit, { token, params: { id: hit!._id }, body: { reason: 'Too early' } });
  const confirmed = { decidedBy: 'Ada Admin', reason: 'Compared the ID documents' };
  expect(await hitsOf(id)).toMatchObject([{ state: 'open', confirmed }]);
  expectConflict((await freeze(false)) as never, adminMessages.unfreezeConfirmed.open);
  await decide(hit, false);
  expect((await freeze(false)).status).toBe(200);
});

test('the holder of an account number says whether a match is undecided or confirmed, so that staff see it before they pay [SX-14]', async () => {
  const { database, tokens } = bank.bank.parts;
  const person = { firstName: 'Ivan', lastName: 'Petrov' };
  const { customerId: id, accountNumber } = await seedCustomer(database, tokens, person);
  const stateOf = async () =>
    (await bank.call(adminApi.accountHolder, { token, params: { accountNumber } })).body.data.screening;
  expect(await stateOf()).toBeUndefined();
  await importAndScreen(petrov);
  expect(await stateOf()).toBe('open');
  await decide((await hitsOf(id))[0], true);
  expect(await stateOf()).toBe('match');
});

test('a new list screens every customer once; a decision is valid until the entry changes [SX-06]', async () => {
  const { database, tokens } = bank.bank.parts;
  const { customerId: id } = await seedCustomer(database, tokens, { firstName: 'Ida', lastName: 'Strand' });
  const ida = entry('EU-7', 'Strand, Ida', { dateOfBirth: '' });
  await importAndScreen(petrov, ida);
  const [hit] = await hitsOf(id);
  expect(hit).toMatchObject({ score: 100, state: 'open', customer: { isApproved: true } });
  const { open, list } = await queue();
  expect(list).toMatchObject({ entries: 2, finishedAt: expect.any(String) });
  expect(open).toBeGreaterThan(0);
  await decide(hit, false);
  await importAndScreen(petrov, ida);
  expect((await hitsOf(id)).map(({ state }) => state)).toEqual(['no-match']);
  await importAndScreen(petrov, { ...ida, dateOfBirth: '1990' });
  expect((await hitsOf(id)).map(({ state }) => state)).toEqual(['open', 'outdated']);
  // The entry is no longer on the list, and the match was not confirmed, so there is nothing left to decide.
  await importAndScreen(petrov);
  const [outdated] = await hitsOf(id);
  expect(outdated!.state).toBe('outdated');
  expectConflict(await decide(outdated, true), screeningMessages.outdated);
});

const odile = entry('OFAC-2', 'Odile Marketti', { dateOfBirth: '1975' });

test('when the entry of a confirmed match changes, the applicant waits for a new decision, and only that one counts [SX-06]', async () => {
  await importAndScreen(petrov, odile);
  const id = await applicant('Odile', 'Marketti');
  expect((await decide((await hitsOf(id))[0], true)).status).toBe(200);
  await importAndScreen(petrov, { ...odile, dateOfBirth: '1975-09-09' });
  expect(await waiting(id)).toMatchObject({ screening: 'open' });
  expectConflict(await approve(id), screeningMessages.undecided);
  const [hit, former] = await hitsOf(id);
  const earlier = {
    state: 'match',
    decidedAt: expect.any(String),
    decidedBy: 'Ada Admin',
    reason: 'Compared the ID documents',
  };
  expect(hit).toMatchObject({ state: 'open', listed: { dateOfBirth: '1975-09-09' }, earlier });
  expect(hit).not.toHaveProperty('isGone');
  expect(former).toMatchObject({ state: 'outdated', listed: { dateOfBirth: '1975' }, earlier });
  expectConflict(await decide(former, false), screeningMessages.outdated);
  expect((await decide(hit, false)).body.data).toMatchObject({ state: 'no-match', earlier });
  expect(await waiting(id)).not.toHaveProperty('screening');
  expect((await approve(id)).status).toBe(200);
});

test('when a confirmed match is no longer found, the applicant is not approved before one new decision [SX-06]', async () => {
  await importAndScreen(petrov, odile);
  const id = await applicant('Odile', 'Marketti');
  const [hit] = await hitsOf(id);
  await decide(hit, true);
  await importAndScreen(petrov);
  expect(await waiting(id)).toMatchObject({ screening: 'open' });
  expectConflict(await approve(id), screeningMessages.undecided);
  const gone = {
    _id: hit!._id,
    state: 'open',
    isGone: true,
    earlier: { state: 'match', decidedBy: 'Ada Admin' },
  };
  expect(await hitsOf(id)).toMatchObject([gone]);
  const { rows } = await bank.test.database.ownerPool.query(
    "SELECT actor_kind, data FROM audit_log WHERE subject = $1 AND action = 'screening.reopened'",
    [id],
  );
  expect(rows).toEqual([{ actor_kind: 'system', data: { entry: 'OFAC-2' } }]);
  // The new decision counts, also after the next list without the entry.
  await decide(hit, true);
  await importAndScreen(petrov);
  expectConflict(await approve(id), screeningMessages.confirmed);
  // After that decision is taken back, a new one is needed.
  await bank.call(screeningApi.reopenHit, {
    token,
    params: { id: hit!._id },
    body: { reason: 'Typing error' },
  });
  expectConflict(await approve(id), screeningMessages.undecided);
  // The entry is back, and then missing again, which is a new change.
  await decide(hit, true);
  await importAndScreen(petrov, odile);
  expectConflict(await approve(id), screeningMessages.confirmed);
  await importAndScreen(petrov);
  expectConflict(await approve(id), screeningMessages.undecided);
  await decide(hit, false);
  expect((await approve(id)).status).toBe(200);
});

test.each([
  ['still resembles the entry', 'Odille', { state: 'open' }],
  ['no longer resembles it', 'Wanda', { state: 'open', isGone: true }],
])(
  'a customer whose match was confirmed and whose corrected name %s waits for a new decision [SX-06]',
  async (_, firstName, expected) => {
    await importAndScreen(petrov, odile);
    const { database, tokens } = bank.bank.parts;
    const person = { firstName: 'Odile', lastName: 'Marketti' };
    const { customerId: id, accountNumber } = await seedCustomer(database, tokens, person);
    await importAndScreen(petrov, odile);
    await decide((await hitsOf(id))[0], true);
    const body = { firstName, reason: 'Saw the passport' };
    expect((await bank.call(adminCustomersApi.changeCustomer, { token, params: { id }, body })).status).toBe(
      200,
    );
    const stateOf = async () =>
      (await bank.call(adminApi.accountHolder, { token, params: { accountNumber } })).body.data.screening;
    expect(await stateOf()).toBe('open');
    const [hit] = await hitsOf(id);
    expect(hit).toMatchObject({ ...expected, earlier: { state: 'match' } });
    await decide(hit, false);
    expect(await stateOf()).toBeUndefined();
  },
);

test('an applicant whose confirmed entry changed and then left the list is not approved before a new decision [SX-06]', async () => {
  await importAndScreen(odile);
  const id = await applicant('Odile', 'Marketti');
  await decide((await hitsOf(id))[0], true);
  await importAndScreen({ ...odile, dateOfBirth: '1975-09-09' });
  await importAndScreen(petrov);
  expectConflict(await approve(id), screeningMessages.undecided);
  const [hit] = await hitsOf(id);
  expect(hit).toMatchObject({ state: 'open', isGone: true, earlier: { state: 'match' } });
  await decide(hit, false);
  expect((await approve(id)).status).toBe(200);
});

test('a match that was cleared because it was no longer found waits for a new decision when it is found again, and shows both decisions [SX-06]', async () => {
  const id = await applicant('Odile', 'Marketti');
  const rename = async (firstName: string) => {
    await bank.test.database.ownerPool.query('UPDATE customers SET first_name = $2 WHERE id = $1', [
      id,
      firstName,
    ]);
    await approve(id);
  };
  for (const [leave, comeBack] of [
    [() => importAndScreen(petrov), () => importAndScreen(petrov, odile)],
    [() => rename('Wanda'), () => rename('Odile')],
  ] as const) {
    await importAndScreen(petrov, odile);
    const [hit] = await hitsOf(id);
    await decide(hit, true);
    await leave();
    await decide(hit, false);
    await comeBack();
    expectConflict(await approve(id), screeningMessages.undecided);
    const earlier = { state: 'no-match', decidedBy: 'Ada Admin' };
    const confirmed = { decidedBy: 'Ada Admin', reason: 'Compared the ID documents' };
    expect(await hitsOf(id)).toMatchObject([{ _id: hit!._id, state: 'open', earlier, confirmed }]);
    const freeze = (isFrozen: boolean) =>
      bank.call(adminApi.freeze, { token, params: { id }, body: { isFrozen } });
    await freeze(true);
    expectConflict((await freeze(false)) as never, adminMessages.unfreezeConfirmed.open);
  }
});

test('a decision about an entry that changed and changed back does not count again by itself [SX-06]', async () => {
  const id = await applicant('Odile', 'Marketti');
  await importAndScreen(odile);
  await decide((await hitsOf(id))[0], false);
  await importAndScreen({ ...odile, dateOfBirth: '1975-09-09' });
  await decide((await hitsOf(id))[0], true);
  await importAndScreen(odile);
  expect(await hitsOf(id)).toMatchObject([
    { state: 'open', listed: { dateOfBirth: '1975' }, earlier: { state: 'match' } },
    { state: 'outdated', listed: { dateOfBirth: '1975-09-09' } },
  ]);
});

test('a match that was cleared, then confirmed by a server of 1.0.0 because its entry had changed, waits for a new decision once the entry has changed back [SX-06]', async () => {
  const { ownerPool } = bank.bank.parts.database;
  await importAndScreen(odile);
  const id = await applicant('Odile', 'Marketti');
  await decide((await hitsOf(id))[0], false);
  // Servers of 1.0.0 kept both decisions.
  await ownerPool.query(
    `INSERT INTO screening_hits (id, customer_id, entry_id, match_hash, listed_name, date_of_birth, program, score, state,
                                 decided_at, decided_by, reason)
     SELECT new_id(), customer_id, entry_id, gen_random_uuid(), listed_name, '1975-09-09', program, score, 'match',
            now(), decided_by, 'Same passport' FROM screening_hits WHERE customer_id = $1`,
    [id],
  );
  for (let imports = 0; imports < 2; imports++) {
    await importAndScreen(odile);
    expectConflict(await approve(id), screeningMessages.undecided);
  }
  const reopened = { state: 'open', isGone: true, earlier: { state: 'match', reason: 'Same passport' } };
  const [hit, ...others] = await hitsOf(id);
  expect(hit).toMatchObject(reopened);
  expect(others).toMatchObject([{ state: 'no-match' }]);
  const audited = await ownerPool.query(
    "SELECT actor_kind FROM audit_log WHERE subject = $1 AND action = 'screening.reopened'",
    [id],
  );
  expect(audited.rows).toEqual([{ actor_kind: 'system' }]);
  await decide(hit, true);
  await importAndScreen(odile);
  expectConflict(await approve(id), screeningMessages.confirmed);
});

test('a match that this version reopened, and that a server of 1.0.0 then decided and reopened, is still in the list [SX-06]', async () => {
  await importAndScreen(odile);
  const id = await applicant('Odile', 'Marketti');
  await decide((await hitsOf(id))[0], true);
  await importAndScreen(petrov);
  await bank.bank.parts.database.ownerPool.query(
    `UPDATE screening_hits SET state = 'open', decided_by = NULL, reason = NULL, decided_at = NULL WHERE customer_id = $1`,
    [id],
  );
  const { status, body } = await bank.call(screeningApi.screening, { token, query: { limit: 100 } });
  expect(status).toBe(200);
  const hit = body.data.hits.find(({ customer }) => customer._id === id);
  expect(hit).toMatchObject({ state: 'open', isGone: true });
  expect(hit).not.toHaveProperty('earlier');
  expectConflict(await approve(id), screeningMessages.undecided);
});

test('when the entry of a confirmed match changes, its new match is stored however many stronger ones the list has [SX-13]', async () => {
  const omar = entry('OMAR', 'Omar Faruk Azis', { dateOfBirth: '1975' });
  await importAndScreen(omar);
  const id = await applicant('Omar Faruk', 'Aziz');
  await decide((await hitsOf(id))[0], true);
  const stronger = Array.from({ length: 25 }, (_, n) => entry(`STRONGER-${n}`, 'Omar Faruk Aziz'));
  await importAndScreen({ ...omar, dateOfBirth: '1975-09-09' }, ...stronger);
  const hits = await hitsOf(id);
  const states = hits
    .filter(({ listed }) => listed.id === 'OMAR')
    .map(({ state, isGone }) => [state, isGone]);
  expect(states).toEqual([
    ['open', undefined],
    ['outdated', undefined],
  ]);
  expect(hits[0]!.customer.moreMatches).toBe(5);
  expect(hits.filter(({ state }) => state === 'open')).toHaveLength(21);
});

/** An applicant with a session. */
const withSession = () => bank.seeded({ firstName: 'Odile', lastName: 'Marketti', approved: false });
const setBorn = (token: string, dateOfBirth: string) =>
  bank.call(settingsApi.updateIdentity, { token, body: { dateOfBirth, city: 'Hudson' } });

test('a cleared match is open again when the customer changes to the listed date of birth, and when staff verify that date with the ID document [SX-16]', async () => {
  const { customerId: id, token: own } = await withSession();
  const others = [
    entry('OTHER', 'Marketti Odile', { dateOfBirth: '1980-01-01' }),
    entry('NONE', 'Odile Marketti', { dateOfBirth: '' }),
  ];
  await importAndScreen(odile, ...others);
  const states = async () =>
    Object.fromEntries((await hitsOf(id)).map(({ listed, state }) => [listed.id, state]));
  const clear = async () => {
    for (const hit of await hitsOf(id)) if (hit.state === 'open') await decide(hit, false);
  };
  await setBorn(own, '1991-06-06');
  await clear();
  await setBorn(own, '1991-06-07');
  expect(await waiting(id)).not.toHaveProperty('screening');
  expect((await setBorn(own, '1975-03-04')).status).toBe(200);
  const reopened = { 'OFAC-2': 'open', OTHER: 'no-match', NONE: 'no-match' };
  expect(await states()).toEqual(reopened);
  expect(await waiting(id)).toMatchObject({ screening: 'open' });
  expectConflict(await approve(id), screeningMessages.undecided);
  expect((await hitsOf(id))[0]).toMatchObject({
    earlier: { state: 'no-match', decidedBy: 'Ada Admin', reason: 'Compared the ID documents' },
    customer: { isDateOfBirthVerified: false },
  });
  // Staff clear it although the date is the same. Only the ID document makes it wait again.
  await clear();
  await setBorn(own, '1975-03-04');
  expect(await waiting(id)).not.toHaveProperty('screening');
  expect((await approve(id)).status).toBe(200);
  const body = new FormData();
  body.append('avatar', bank.form().get('avatar')!);
  await bank.call(settingsApi.uploadIdCard, { token: own, body });
  const verify = () => bank.call(adminApi.verifyId, { token, params: { id } });
  await bank.call(adminApi.application, { token, params: { id } });
  await fetch(`${bank.url}${adminApi.userIdCard.path.replace('{id}', id)}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect((await verify()).status).toBe(200);
  expect(await states()).toEqual(reopened);
  expect((await hitsOf(id))[0]).toMatchObject({ customer: { isDateOfBirthVerified: true } });
  await clear();
  expect((await verify()).status).toBe(200);
  expect(await states()).toMatchObject({ 'OFAC-2': 'no-match' });
  const { rows } = await bank.test.database.ownerPool.query(
    "SELECT actor_kind, data FROM audit_log WHERE subject = $1 AND action = 'screening.reopened'",
    [id],
  );
  expect(rows).toEqual(Array(2).fill({ actor_kind: 'system', data: { entry: 'OFAC-2' } }));
});

test('a match is not decided by the date of birth that staff were shown if the customer has changed it since [SX-16]', async () => {
  const { customerId: id, token: own } = await withSession();
  await importAndScreen(odile);
  const [hit] = await hitsOf(id);
  const decideBy = async (dateOfBirth: string | null) =>
    (
      await bank.call(screeningApi.decideHit, {
        token,
        params: { id: hit!._id },
        body: { isMatch: false, reason: 'Another date', dateOfBirth },
      })
    ).body;
  await setBorn(own, '1970-01-01');
  const refused = { code: 'CONFLICT', message: screeningMessages.birthChanged };
  expect(await decideBy(null)).toMatchObject(refused);
  expect(await decideBy('1991-06-06')).toMatchObject(refused);
  expect(await hitsOf(id)).toMatchObject([{ state: 'open' }]);
  expect(await decideBy('1970-01-01')).toMatchObject({ data: { state: 'no-match' } });
});

test('a cleared match that was gone when the customer changed to the listed date of birth waits for a decision as soon as it is found again [SX-16]', async () => {
  const { customerId: id, token: own } = await withSession();
  await importAndScreen(odile);
  await decide((await hitsOf(id))[0], false);
  await importAndScreen(petrov);
  await setBorn(own, '1975-03-04');
  expect(await hitsOf(id)).toMatchObject([{ state: 'no-match', isGone: true }]);
  await importAndScreen(odile);
  expect(await hitsOf(id)).toMatchObject([{ state: 'open' }]);
});

test('a match by an alias says the main name of the entry, also when the list no longer has it, and whether there is an ID document to compare [SX-09]', async () => {
  await importAndScreen({ ...odile, name: 'Anneke Vos', aliases: ['Odile Marketti'] });
  const id = await applicant('Odile', 'Marketti');
  const listed = { name: 'Odile Marketti', mainName: 'Anneke Vos' };
  expect((await hitsOf(id))[0]).toMatchObject({ listed, customer: { hasIdDocument: false } });
  const upload = "UPDATE customers SET id_card_file = 'id-card-x', id_card_at = now() WHERE id = $1";
  await bank.test.database.ownerPool.query(upload, [id]);
  await importAndScreen(petrov);
  expect((await hitsOf(id))[0]).toMatchObject({ listed, customer: { hasIdDocument: true } });
  await importAndScreen(odile);
  expect((await hitsOf(id))[0]!.listed).not.toHaveProperty('mainName');
});

test('a newer list ends the screening by an older one, and a repeated job screens no one again [SX-06]', async () => {
  const { database } = bank.bank.parts;
  const older = await database.inTransaction(tx => importList(tx, [petrov]));
  const newer = await database.inTransaction(tx => importList(tx, [petrov]));
  await screenAllCustomers(database, { importId: older });
  const imports = async () =>
    (
      await database.ownerPool.query<{ screened: number; done: boolean }>(
        'SELECT screened, finished_at IS NOT NULL AS done FROM screening_imports WHERE id = ANY ($1) ORDER BY id',
        [[older, newer]],
      )
    ).rows;
  expect(await imports()).toEqual([
    { screened: 0, done: false },
    { screened: 0, done: false },
  ]);
  await screenAllCustomers(database, { importId: newer });
  const [, done] = await imports();
  expect(done).toMatchObject({ done: true });
  await screenAllCustomers(database, { importId: newer });
  expect((await imports())[1]).toEqual(done);
});

test('customers with many names are screened in smaller batches, so that no batch takes too long [SX-06]', async () => {
  const { database, tokens } = bank.bank.parts;
  const many = 'Ana Bea Cleo Dora Edda Fay Gina Hedy Ina Jill Kay';
  for (let n = 0; n < 10; n++) await seedCustomer(database, tokens, { firstName: many, lastName: 'Petrov' });
  const importId = await database.inTransaction(tx => importList(tx, [petrov]));
  let batches = 1;
  while (await database.inTransaction(tx => screenNextCustomers(tx, importId))) batches++;
  expect(batches).toBeGreaterThan(3);
});

test('a name that resembles many listed ones is stored as its 20 strongest matches with one audit record; the next ones follow when these are decided [SX-13]', async () => {
  const { ownerPool } = bank.bank.parts.database;
  const names = ['Omar Faruk Aziz', 'Omar Faruk Azis', 'Omar Faruq Aziz'].flatMap(name =>
    Array(15).fill(name),
  );
  await importAndScreen(
    ...names.map((name, n) => entry(`OMAR-${n + 10}`, name, { dateOfBirth: `${1950 + n}` })),
  );
  const id = await applicant('Omar Faruk', 'Aziz');
  const first = await hitsOf(id);
  expect(first.map(({ score }) => score)).toEqual([
    ...Array(15).fill(100),
    ...first.slice(15).map(({ score }) => score),
  ]);
  expect(first).toHaveLength(20);
  expect(first[0]).toMatchObject({ customer: { moreMatches: 25 } });
  const audited = async () =>
    (
      await ownerPool.query<{ entries: string[] }>(
        "SELECT data->'entries' AS entries FROM audit_log WHERE subject = $1 AND action = 'screening.found' ORDER BY id",
        [id],
      )
    ).rows.map(({ entries }) => entries.length);
  expect(await audited()).toEqual([20]);
  // The customer now has the year of birth of the weakest entry.
  await ownerPool.query("UPDATE customers SET date_of_birth = '1994-03-05' WHERE id = $1", [id]);
  for (const hit of first.slice(1)) expect((await decide(hit, false)).status).toBe(200);
  expectConflict(await approve(id), screeningMessages.undecided);
  const open = async () => (await hitsOf(id)).filter(({ state }) => state === 'open');
  // The approval has compared the name again: one of the first 20 is still open, and the next 19 have been stored.
  const second = await open();
  expect(second).toHaveLength(20);
  expect(second[0]).toMatchObject({ listed: { id: 'OMAR-54' }, customer: { moreMatches: 6 } });
  for (const hit of second) expect((await decide(hit, false)).status).toBe(200);
  const last = await open();
  expect(last).toHaveLength(6);
  expect(last[0]!.customer).not.toHaveProperty('moreMatches');
  expect(await audited()).toEqual([20, 19, 6]);
  for (const hit of last) expect((await decide(hit, false)).status).toBe(200);
  expect((await approve(id)).status).toBe(200);
  const decided = new Set([...first, ...second, ...last].map(({ listed }) => listed.id));
  expect(decided.size).toBe(45);
});

test('a new list keeps the undecided matches of the former one, however many stronger ones it has [SX-13]', async () => {
  const { database, tokens } = bank.bank.parts;
  const { customerId: id } = await seedCustomer(database, tokens, { firstName: 'Tarek', lastName: 'Nasser' });
  const weak = entry('WEAK-1', 'Tarek Naser');
  await importAndScreen(weak);
  expect(await hitsOf(id)).toMatchObject([{ listed: { id: 'WEAK-1' }, state: 'open' }]);
  await importAndScreen(weak, ...Array.from({ length: 30 }, (_, n) => entry(`TAREK-${n}`, 'Tarek Nasser')));
  const found = await hitsOf(id);
  expect(found.map(({ state }) => state)).toEqual(Array(21).fill('open'));
  expect(found[0]!.customer.moreMatches).toBe(10);
  await importAndScreen(weak);
  expect((await hitsOf(id)).filter(({ state }) => state === 'open')).toMatchObject([
    { listed: { id: 'WEAK-1' }, customer: expect.not.objectContaining({ moreMatches: 10 }) },
  ]);
});

test('comparing a name with thousands of candidates lets other requests be answered in between [SX-08]', async () => {
  const { database } = bank.bank.parts;
  const entries = Array.from({ length: 4000 }, (_, n) =>
    entry(`FREQ-${n}`, 'Muhammad Abdullah Hassan', { dateOfBirth: `${n}` }),
  );
  await database.inTransaction(tx => importList(tx, entries));
  let found = 0;
  let answered = 0;
  const answer = () => {
    answered++;
    if (found > 0) setImmediate(answer);
  };
  const reader = database.reader.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      found = result.rows.length;
      setImmediate(answer);
      return result;
    },
  });
  const person = { firstName: 'Muhammad Abdullah', middleName: '', lastName: 'Hasan' };
  const [matches] = await screenByList(reader, [person]);
  const answeredMeanwhile = answered;
  found = 0;
  expect(matches).toHaveLength(4000);
  expect(answeredMeanwhile).toBeGreaterThan(1);
  await database.inTransaction(tx => importList(tx, [petrov]));
});

test('the copy of a customer’s data has nothing about the screening, which is erased with the customer [SX-07]', async () => {
  const id = await applicant('Ivan', 'Petrov');
  expect(await hitsOf(id)).toHaveLength(1);
  const { rows } = await bank.test.database.ownerPool.query<{ accountId: bigint }>(
    'SELECT account_id AS "accountId" FROM customers WHERE id = $1',
    [id],
  );
  const owner = { customerId: id, accountId: rows[0]!.accountId };
  const copy = readZip(await buffer(await writeEverything(bank.bank.parts, owner)));
  expect(copy.get('activity.json')!.toString()).toContain('customer.registered');
  for (const [name, data] of copy) expect(data.toString('latin1'), name).not.toMatch(/screening|SDN-1/);
  await bank.call(adminCustomersApi.rejectApplication, {
    token,
    params: { id },
    body: { reason: 'We couldn’t confirm your identity.' },
  });
  const left = await bank.test.database.ownerPool.query('SELECT FROM screening_hits WHERE customer_id = $1', [
    id,
  ]);
  expect(left.rowCount).toBe(0);
  expectRefusal(await bank.call(screeningApi.customerScreening, { token, params: { id } }), 'NOT_FOUND');
});

test('one person is compared with a list of 20,000 names by reading few of them [SX-08]', async () => {
  const { database } = bank.bank.parts;
  const syllables = 'ka ro mi ten sol dar vi lu ne bor ash gri po ju fe'.split(' ');
  const word = (n: number) =>
    [n, Math.floor(n / 15), Math.floor(n / 225)].map(i => syllables[i % 15]).join('');
  const entries = Array.from({ length: 20_000 }, (_, i) =>
    entry(`L-${i}`, `${word(i * 7)} ${word(i * 13 + 5)}`),
  );
  await database.inTransaction(tx => importList(tx, [...entries, petrov]));
  await bank.test.database.ownerPool.query('VACUUM ANALYZE screening_names, screening_entries');
  const person = { firstName: 'Ivan', middleName: '', lastName: 'Petrov' };
  let found: unknown;
  const screen = async (reader: Parameters<typeof screenByList>[0]) => {
    found = await screenByList(reader, [person]);
  };
  expect(await countRowsRead(database.pool, screen)).toBeLessThan(100);
  expect(await listSeqScans(database.pool, screen)).not.toContain('screening_names');
  expect(found).toMatchObject([[{ entryId: 'SDN-1' }]]);
});
