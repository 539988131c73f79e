/** The API client: requests, errors, sessions, cached data, confirmations and uploads, against a fake `fetch`. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { adminApi } from '#contract/admin.ts';
import { authApi } from '#contract/auth.ts';
import * as appMessages from '#contract/messages/app.ts';
import * as authMessages from '#contract/messages/auth.ts';
import * as errorMessages from '#contract/messages/errors.ts';
import * as stepUpMessages from '#contract/messages/stepUp.ts';
import * as transferMessages from '#contract/messages/transfer.ts';
import { settingsApi } from '#contract/settings.ts';
import { transactionsApi } from '#contract/transactions.ts';
import { transferApi } from '#contract/transfer.ts';
import { ida, wren } from '../../../tests/sessions.ts';
import { waitOptions } from '../../../tests/waiting.ts';
import { areaApi } from './api.ts';
import { type CallError, errorMessage, fieldErrors } from './callError.ts';
import { adminLoggedIn, authReset, customerLoggedIn, loggedOut } from './session.ts';
import { hostStepUps, type StepUpAsked } from './stepUp.ts';
import { type AppStore, makeStore, type RootState } from './store.ts';

const auth = areaApi(authApi, { profile: { provides: ['Profile'] } });
const transactions = areaApi(transactionsApi, { balance: { provides: ['Money'] } });
const transfer = areaApi(transferApi, { sendInternal: { invalidates: ['Money'] } });
const settings = areaApi(settingsApi, {});
const admin = areaApi(adminApi, {
  pendingApprovals: { provides: ['Approvals'] },
  approve: { invalidates: ['Approvals'] },
});

const newToken = `${wren.token}new`;
const send = {
  idempotencyKey: 'one-press-of-the-button',
  confirms: 'Confirm $12.50 to Ines Caldeira',
  body: { receiverAccountNumber: '482109375527', amount: 12.5, description: 'Rent' },
};

type Sent = { path: string; method: string; headers: Headers; body: unknown };

let sent: Sent[];
let answer: (request: Sent) => { status?: number; body: unknown } | Promise<never>;

beforeEach(() => {
  sent = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const request = {
      path,
      method: init.method ?? '',
      headers: new Headers(init.headers),
      body: init.body === undefined ? undefined : JSON.parse(init.body as string),
    };
    sent.push(request);
    const { status = 200, body } = await answer(request);
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
});

function loggedIn() {
  const store = makeStore();
  store.dispatch(customerLoggedIn(wren));
  store.dispatch(adminLoggedIn(ida));
  return store;
}

/** The cached balance. The cast is safe: importing `api.ts` has added the slice of the cache. */
function knownBalance(store: AppStore) {
  return transactions.endpoints.balance.select()(store.getState() as Required<RootState>).data;
}

async function refusal(call: PromiseLike<{ error?: unknown }>): Promise<CallError> {
  const { error } = await call;
  return error as CallError;
}

test('a transfer carries its key and the token, and returns data and message [C-06, C-20]', async () => {
  answer = () => ({
    status: 201,
    body: { success: true, message: 'Transfer successful', data: { _id: 't1' } },
  });
  const result = await loggedIn().dispatch(transfer.endpoints.sendInternal.initiate(send)).unwrap();
  expect(result).toEqual({ data: { _id: 't1' }, message: 'Transfer successful' });
  expect(sent).toHaveLength(1);
  expect(sent[0]).toMatchObject({ path: '/api/v1/user/transfer', method: 'POST', body: send.body });
  expect(sent[0]?.headers.get('authorization')).toBe(`Bearer ${wren.token}`);
  expect(sent[0]?.headers.get('idempotency-key')).toBe(send.idempotencyKey);
  expect(sent[0]?.headers.get('content-type')).toBe('application/json');
});

test('a query fills in its path and query string and returns only the data', async () => {
  answer = () => ({ body: { success: true, message: '', data: { transactions: [] } } });
  const store = loggedIn();
  const list = await store.dispatch(
    transactions.endpoints.listTransactions.initiate({
      query: { page: 2, search: 'tea & cake', type: undefined },
    }),
  );
  expect(list.data).toEqual({ transactions: [] });
  await store.dispatch(transfer.endpoints.verifyAccount.initiate({ params: { accountNumber: '48/2' } }));
  expect(sent.map(request => request.path)).toEqual([
    '/api/v1/user/transactions?page=2&search=tea+%26+cake',
    '/api/v1/user/verify-account/48%2F2',
  ]);
});

test("an administrator's call carries the administrator's token, a login call carries none [C-06, ST-03]", async () => {
  answer = () => ({ body: { success: true, message: '', data: [] } });
  const store = loggedIn();
  await store.dispatch(admin.endpoints.pendingApprovals.initiate());
  await store.dispatch(
    auth.endpoints.initiateLogin.initiate({ body: { email: 'a@b.example', password: '123456' } }),
  );
  expect(sent.map(request => request.headers.get('authorization'))).toEqual([`Bearer ${ida.token}`, null]);
});

test('a response whose envelope does not report success is an error, whatever its status [C-13]', async () => {
  const bodies = [
    { success: false, message: 'Insufficient balance' },
    { data: { balance: 5 } },
    'null',
    '<html>',
    '',
  ];
  for (const body of bodies) {
    answer = () => ({ status: 200, body });
    const failed = await refusal(loggedIn().dispatch(transactions.endpoints.balance.initiate()));
    expect(failed?.status, JSON.stringify(body)).toBe(200);
  }
});

test('a refusal keeps its code, its field errors and its wait time [C-09]', async () => {
  const body = {
    success: false,
    message: 'Please wait',
    code: 'TOO_MANY',
    waitTime: 31,
    errors: [{ field: 'email', message: 'No' }],
  };
  answer = () => ({ status: 429, body });
  const failed = await refusal(
    makeStore().dispatch(auth.endpoints.resendCode.initiate({ body: { email: 'a@b.example' } })),
  );
  expect(failed).toEqual({
    status: 429,
    code: 'TOO_MANY',
    message: 'Please wait',
    waitTime: 31,
    errors: body.errors,
  });
  expect(fieldErrors(failed)).toEqual({ email: 'No' });
});

test("the shown message is the response's, then the error's own, then the fallback [C-12, ER-11]", async () => {
  answer = () => ({ status: 500, body: '<html>Bad gateway</html>' });
  const store = loggedIn();
  const silent = await refusal(store.dispatch(transfer.endpoints.sendInternal.initiate(send)));
  expect(errorMessage(silent, transferMessages.fallback)).toBe(transferMessages.fallback);
  answer = () => ({ status: 422, body: { success: false, message: transferMessages.insufficientBalance } });
  const said = await refusal(store.dispatch(transfer.endpoints.sendInternal.initiate(send)));
  expect(errorMessage(said, transferMessages.fallback)).toBe(transferMessages.insufficientBalance);
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  const lost = await refusal(store.dispatch(transfer.endpoints.sendInternal.initiate(send)));
  expect(lost.status).toBe('NETWORK');
  expect(errorMessage(lost, transferMessages.fallback)).toBe(errorMessages.network);
  expect(errorMessage(undefined, 'x')).toBe('x');
});

test('a refused token ends the session it belongs to, customer or administrator [ST-11]', async () => {
  answer = () => ({ status: 401, body: { success: false, message: 'Token expired', code: 'TOKEN_EXPIRED' } });
  const store = loggedIn();
  await store.dispatch(transactions.endpoints.balance.initiate());
  expect(store.getState().auth.user).toBeNull();
  expect(store.getState().auth.message).toBe(appMessages.sessionEnded);
  expect(store.getState().adminSession.admin).not.toBeNull();
  await store.dispatch(admin.endpoints.adminStats.initiate());
  expect(store.getState().adminSession.admin).toBeNull();
});

test('wrong credentials end no session', async () => {
  answer = () => ({ status: 401, body: { success: false, message: authMessages.badCredentials } });
  const store = loggedIn();
  await store.dispatch(
    auth.endpoints.initiateLogin.initiate({ body: { email: 'a@b.example', password: '1' } }),
  );
  expect(store.getState().auth.user).not.toBeNull();
});

test('a refusal of an old token does not end a newer session', async () => {
  const store = loggedIn();
  answer = () => {
    store.dispatch(customerLoggedIn({ ...wren, token: newToken }));
    return { status: 401, body: { success: false, message: 'Token expired' } };
  };
  await store.dispatch(transactions.endpoints.balance.initiate());
  expect(store.getState().auth.user?.token).toBe(newToken);
});

test('without a session a guarded call sends no request [ER-08]', async () => {
  const failed = await refusal(makeStore().dispatch(auth.endpoints.profile.initiate()));
  expect(failed).toMatchObject({ status: 401, message: 'No token found' });
  expect(sent).toEqual([]);
});

test('the profile merges into the user, the token stays, and storage gets no additional fields [ST-04, ST-36]', async () => {
  const profile = {
    ...wren,
    firstName: 'Wrenna',
    balance: 40,
    phoneNumber: '2125550100',
    token: undefined,
  };
  answer = () => ({ body: { success: true, message: '', data: profile } });
  const store = loggedIn();
  await store.dispatch(auth.endpoints.profile.initiate());
  expect(store.getState().auth.user).toMatchObject({
    firstName: 'Wrenna',
    balance: 40,
    token: wren.token,
  });
  const keptNow = () => JSON.parse(localStorage.getItem('user') ?? '{}') as Record<string, unknown>;
  // Updates are batched: the store notifies its listeners in the next frame.
  await vi.waitFor(
    () => expect(keptNow()).toMatchObject({ firstName: 'Wrenna', token: wren.token }),
    waitOptions,
  );
  const kept = keptNow();
  expect(kept).not.toHaveProperty('balance');
  expect(kept).not.toHaveProperty('phoneNumber');
});

test('each step of the login shows in the auth state, until it is reset [ST-05, ST-06, L-09, E-02]', async () => {
  const store = makeStore();
  answer = () => ({
    body: { success: true, message: authMessages.codeSent, data: { email: 'a@b.example' } },
  });
  const step = store.dispatch(
    auth.endpoints.initiateLogin.initiate({ body: { email: 'A@b.example', password: '1' } }),
  );
  expect(store.getState().auth).toMatchObject({ isLoading: true, isError: false });
  await step;
  expect(store.getState().auth).toMatchObject({
    isLoading: false,
    isSuccess: true,
    message: authMessages.codeSent,
    pendingEmail: 'a@b.example',
  });
  answer = () => ({ status: 401, body: { success: false, message: authMessages.badCode } });
  await store.dispatch(auth.endpoints.verifyCode.initiate({ body: { email: 'a@b.example', otp: '000000' } }));
  expect(store.getState().auth).toMatchObject({
    isError: true,
    isSuccess: false,
    message: authMessages.badCode,
  });
  store.dispatch(authReset());
  expect(store.getState().auth).toEqual({
    user: null,
    isLoading: false,
    isError: false,
    isSuccess: false,
    message: '',
    pendingEmail: 'a@b.example',
  });
});

test('a transfer refetches the balance; a refused transfer does not', async () => {
  let balance = 10;
  answer = ({ path }) =>
    path.endsWith('/balance')
      ? { body: { success: true, message: '', data: { balance } } }
      : { body: { success: true, message: '', data: {} } };
  const store = loggedIn();
  const watched = store.dispatch(transactions.endpoints.balance.initiate());
  await watched;
  balance = 4;
  await store.dispatch(transfer.endpoints.sendInternal.initiate(send));
  await vi.waitFor(() => expect(knownBalance(store)).toEqual({ balance: 4 }), waitOptions);
  const countBefore = sent.length;
  answer = () => ({ status: 422, body: { success: false, message: 'no' } });
  await store.dispatch(transfer.endpoints.sendInternal.initiate(send));
  expect(sent).toHaveLength(countBefore + 1);
  watched.unsubscribe();
});

test.each([
  ['a colleague already acted', 409, 'CONFLICT', true],
  ['a colleague deleted the customer', 404, 'NOT_FOUND', true],
  ['the role may not do it', 403, 'FORBIDDEN', false],
])(
  'after an act is refused because %s, data on the screen is refetched if it is out of date',
  async (_, status, code, refetches) => {
    answer = ({ method }) =>
      method === 'GET'
        ? { body: { success: true, message: '', data: [] } }
        : { status, body: { success: false, code, message: 'no' } };
    const store = loggedIn();
    const watched = store.dispatch(admin.endpoints.pendingApprovals.initiate());
    await watched;
    await refusal(store.dispatch(admin.endpoints.approve.initiate({ params: { id: wren._id } })));
    const fetches = sent.filter(({ path }) => path.endsWith('/pending-approvals'));
    expect(fetches).toHaveLength(refetches ? 2 : 1);
    watched.unsubscribe();
  },
);

test.each([
  ['cannot confirm it', { status: 503, body: { success: false, code: 'BUSY', message: 'not confirmed' } }],
  ['has a fault', { status: 500, body: { success: false, code: 'FAULT', message: 'fault' } }],
  ['cannot be reached behind its proxy', { status: 502, body: '<h1>Bad gateway</h1>' }],
])('a transfer also refetches the balance if the bank %s', async (_, failure) => {
  let balance = 10;
  answer = ({ path }) =>
    path.endsWith('/balance') ? { body: { success: true, message: '', data: { balance } } } : failure;
  const store = loggedIn();
  const watched = store.dispatch(transactions.endpoints.balance.initiate());
  await watched;
  balance = 4;
  await store.dispatch(transfer.endpoints.sendInternal.initiate(send));
  await vi.waitFor(() => expect(knownBalance(store)).toEqual({ balance: 4 }), waitOptions);
  watched.unsubscribe();
});

describe('a call that must be confirmed', () => {
  const challenge = {
    _id: 'c1',
    methods: ['email'],
    expiresAt: '2026-11-23T12:00:00Z',
    hasWaitingFactor: false,
  };
  beforeEach(() => {
    answer = ({ headers }) =>
      headers.get('step-up') === 'the proof'
        ? { status: 201, body: { success: true, message: 'Transfer successful', data: { _id: 't1' } } }
        : {
            status: 403,
            body: { success: false, code: 'STEP_UP_REQUIRED', message: stepUpMessages.required, challenge },
          };
  });
  const sendConfirmedBy = async (host: Parameters<typeof hostStepUps>[0]) => {
    const release = hostStepUps(host);
    const result = await loggedIn().dispatch(transfer.endpoints.sendInternal.initiate(send));
    release();
    return result;
  };

  test('shows what is to be confirmed, and is sent again with the proof and the same key [BR-60]', async () => {
    const asked: StepUpAsked[] = [];
    const { data } = await sendConfirmedBy(async one => {
      asked.push(one);
      return { proof: 'the proof' };
    });
    expect(data).toEqual({ data: { _id: 't1' }, message: 'Transfer successful' });
    expect(asked).toEqual([{ challenge, confirms: send.confirms }]);
    expect(sent.map(({ body }) => body)).toEqual([send.body, send.body]);
    expect(sent.map(({ headers }) => headers.get('idempotency-key'))).toEqual([
      send.idempotencyKey,
      send.idempotencyKey,
    ]);
  });

  test('is not sent again if the customer cancels, and the message says so [BR-60]', async () => {
    const { error } = await sendConfirmedBy(async () => undefined);
    expect(error).toMatchObject({ code: 'STEP_UP_REQUIRED', message: stepUpMessages.canceled });
    expect(sent).toHaveLength(1);
  });

  test('is reported with the reason why the customer could not confirm it, not as canceled [BR-60]', async () => {
    const reason = stepUpMessages.usedUp;
    const { error } = await sendConfirmedBy(async () => ({ reason }));
    expect(error).toMatchObject({ code: 'STEP_UP_REQUIRED', message: reason });
    expect(sent).toHaveLength(1);
  });

  test('asks for a new confirmation, with the same key, if the customer starts again [BR-64]', async () => {
    const ends = ['again', { proof: 'the proof' }] as const;
    let asked = 0;
    const { data } = await sendConfirmedBy(async () => ends[asked++]);
    expect(data).toMatchObject({ message: 'Transfer successful' });
    expect(sent.map(({ headers }) => headers.get('step-up'))).toEqual([null, null, 'the proof']);
    expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  });
});

test('a request made for one person is never sent with another person’s session', async () => {
  const failed = await refusal(
    loggedIn().dispatch(transfer.endpoints.sendInternal.initiate({ ...send, onlyFor: 'another customer' })),
  );
  expect(failed.status).toBe(401);
  expect(sent).toEqual([]);
});

test('a refused token ends the session whatever the status of the response [ST-11]', async () => {
  answer = () => ({ status: 400, body: { success: false, message: 'Old', code: 'TOKEN_EXPIRED' } });
  const store = loggedIn();
  await store.dispatch(auth.endpoints.profile.initiate());
  expect(store.getState().auth.user).toBeNull();
});

test('cached data of a customer is deleted when that customer logs out', async () => {
  answer = () => ({ body: { success: true, message: '', data: { balance: 10 } } });
  const store = loggedIn();
  const watched = store.dispatch(transactions.endpoints.balance.initiate());
  await watched;
  watched.unsubscribe();
  store.dispatch(loggedOut());
  expect(knownBalance(store)).toBeUndefined();
});

test('an upload sends a form with its file, reports its progress, and can time out [G-05]', async () => {
  const requests: FakeRequest[] = [];
  class FakeRequest {
    upload: { onprogress?: (event: { lengthComputable: boolean; loaded: number; total: number }) => void } =
      {};
    headers = new Map<string, string>();
    timeout = 0;
    status = 0;
    responseText = '';
    opened: string[] = [];
    form: FormData | undefined;
    onload: () => void = () => {};
    ontimeout: () => void = () => {};
    onerror: () => void = () => {};
    open(...how: string[]) {
      this.opened = how;
      requests.push(this);
    }
    setRequestHeader(name: string, value: string) {
      this.headers.set(name, value);
    }
    send(form: FormData) {
      this.form = form;
    }
    abort() {}
  }
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  const store = loggedIn();
  const percents: number[] = [];
  const call = {
    files: { avatar: new Blob(['x']) },
    onProgress: (percent: number) => percents.push(percent),
    timeoutMs: 7,
  };
  const upload = store.dispatch(settings.endpoints.uploadAvatar.initiate(call));
  await vi.waitFor(() => expect(requests).toHaveLength(1), waitOptions);
  const [first] = requests;
  first?.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 3 });
  Object.assign(first ?? {}, {
    status: 200,
    responseText: JSON.stringify({ success: true, message: 'ok', data: { avatar: { url: '/n' } } }),
  });
  first?.onload();
  expect(await upload.unwrap()).toEqual({ data: { avatar: { url: '/n' } }, message: 'ok' });
  expect(percents).toEqual([33]);
  expect(first?.opened).toEqual(['POST', '/api/v1/user/upload/avatar']);
  expect(first?.timeout).toBe(7);
  expect(first?.headers.get('authorization')).toBe(`Bearer ${wren.token}`);
  expect(first?.headers.has('content-type')).toBe(false);
  expect(first?.form?.get('avatar')).toBeInstanceOf(Blob);

  const late = store.dispatch(settings.endpoints.uploadAvatar.initiate(call));
  await vi.waitFor(() => expect(requests).toHaveLength(2), waitOptions);
  requests[1]?.ontimeout();
  expect((await refusal(late)).status).toBe('TIMEOUT');
});

test('a query that got no answer is repeated once the bank is ready again, even without an `online` event [X-22]', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let isUp = false;
  const ready = () => sent.filter(({ path }) => path === '/readyz').length;
  answer = ({ path }) => {
    if (!isUp) return Promise.reject(new TypeError('Failed to fetch'));
    return { body: path === '/readyz' ? 'ok' : { success: true, message: '', data: { balance: 12 } } };
  };
  const store = loggedIn();
  await store.dispatch(transactions.endpoints.balance.initiate());
  expect(knownBalance(store)).toBeUndefined();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(ready()).toBe(3);
  isUp = true;
  await vi.advanceTimersByTimeAsync(30_000);
  vi.useRealTimers();
  await vi.waitFor(() => expect(knownBalance(store)).toEqual({ balance: 12 }), waitOptions);
});

test('the readiness check is polled neither after a query that the bank refused nor after a logout', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  answer = () => ({ status: 403, body: { success: false, code: 'FORBIDDEN', message: 'No' } });
  const store = loggedIn();
  await store.dispatch(transactions.endpoints.balance.initiate());
  await vi.advanceTimersByTimeAsync(60_000);
  answer = () => Promise.reject(new TypeError('Failed to fetch'));
  await store.dispatch(transactions.endpoints.balance.initiate(undefined, { forceRefetch: true }));
  store.dispatch(loggedOut());
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  expect(sent.filter(({ path }) => path === '/readyz')).toEqual([]);
});
