/** Downloads a file that only a logged-in user may read. The browser saves it under the name that the server gives it. */
import type { Endpoint } from '#contract/endpoint.ts';
import { type CallError, readAnswer, unanswered } from './callError.ts';
import { type AnyCall, requestHeaders, requestUrl } from './request.ts';
import { endIfRefused, selectToken, type Thunk } from './session.ts';

/**
 * Saves the file of a call. `onBytes` gets the number of bytes that have arrived. Resolves to the error if the file was not
 * saved.
 */
export function saveFile(
  endpoint: Endpoint,
  call: AnyCall,
  onBytes: (bytes: number) => void,
): Thunk<Promise<CallError | undefined>> {
  return async (dispatch, getState) => {
    const token = selectToken(getState(), endpoint.access);
    try {
      const response = await fetch(requestUrl(endpoint, call), { headers: requestHeaders(call, token) });
      if (!response.ok) {
        const answer = readAnswer(response.status, await response.text());
        if (!('error' in answer)) return undefined;
        dispatch(endIfRefused(answer.error, endpoint.access, token));
        return answer.error;
      }
      const pieces: Uint8Array<ArrayBuffer>[] = [];
      const reader = response.body!.getReader();
      for (let bytes = 0; ; ) {
        const { value, done } = await reader.read();
        if (done) break;
        pieces.push(value);
        bytes += value.length;
        onBytes(bytes);
      }
      const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
      saveBlob(name ?? 'larkspur', new Blob(pieces));
      return undefined;
    } catch {
      return unanswered('NETWORK');
    }
  };
}

function saveBlob(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

export function saveText(name: string, text: string): void {
  saveBlob(name, new Blob([text], { type: 'text/plain;charset=utf-8' }));
}
