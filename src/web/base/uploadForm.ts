/** Sends a form with files and reports its progress. Uses XMLHttpRequest because fetch reports no upload progress. */
import type { Endpoint } from '#contract/endpoint.ts';
import { type Answered, type CallError, readAnswer, unanswered } from './callError.ts';
import { type AnyCall, formData, requestHeaders, requestUrl } from './request.ts';

export type UploadOptions = {
  token?: string | undefined;
  /** Called with whole percent, 0 to 100. */
  onProgress?: ((percent: number) => void) | undefined;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
};

/** Sends the call as multipart form data. Never rejects: a failure is the result's `error`. */
export function uploadForm(
  endpoint: Endpoint,
  call: AnyCall,
  { token, onProgress, timeoutMs, signal }: UploadOptions,
): Promise<{ data: Answered } | { error: CallError }> {
  if (signal?.aborted) return Promise.resolve({ error: unanswered('NETWORK') });
  return new Promise(settle => {
    const request = new XMLHttpRequest();
    request.open(endpoint.method, requestUrl(endpoint, call));
    for (const [name, value] of Object.entries(requestHeaders(call, token)))
      request.setRequestHeader(name, value);
    request.timeout = timeoutMs;
    request.upload.onprogress = event => {
      if (event.lengthComputable) onProgress?.(Math.floor((event.loaded / event.total) * 100));
    };
    request.onload = () => settle(readAnswer(request.status, request.responseText));
    request.onerror = () => settle({ error: unanswered('NETWORK') });
    request.onabort = request.onerror;
    request.ontimeout = () => settle({ error: unanswered('TIMEOUT') });
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(formData(call));
  });
}
