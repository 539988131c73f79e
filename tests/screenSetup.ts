/** Prepares the page of each file of component tests. */
import { ReadableStream } from 'node:stream/web';
import { configure } from '@testing-library/dom';
import { waitLimitMs } from './waiting.ts';

// Longer than the default second: many processes share few cores.
configure({ asyncUtilTimeout: waitLimitMs });

// Browsers have it; the page of a thread does not.
Object.assign(globalThis, { ReadableStream });
