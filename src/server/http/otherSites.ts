/**
 * Refuses calls that a page of another site, or of another port or subdomain of this one, makes in its reader's browser (CSRF).
 * Such a page has no token. But it could register accounts, and use up the quotas of the reader's address, so that no one there
 * can log in.
 */
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { isApiPath, routedPath } from './routedPath.ts';

/**
 * Adds the check to every path of `/api/` and `/files/`. Every supported browser says which site a request comes from, and no
 * script can change that (Fetch Metadata). Clients that are not browsers do not say it and are not checked. Any site may link
 * to a document of the API, but not show it in a frame, because a page can load any number of frames.
 */
export function refuseOtherSites(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _, done) => {
    const { 'sec-fetch-site': site, 'sec-fetch-mode': mode, 'sec-fetch-dest': target = '' } = request.headers;
    const isFromOther = site === 'cross-site' || site === 'same-site';
    const isLink = request.method === 'GET' && mode === 'navigate' && !/frame|embed|object/.test(`${target}`);
    // Browsers do not say which site opens a WebSocket, and the bank uses none.
    const isSocket = request.headers.upgrade?.toLowerCase() === 'websocket';
    // The check includes policy reports, because reports about the bank's own pages come from its own site.
    if (((isFromOther && !isLink) || isSocket) && isApiPath(routedPath(request)))
      throw new Refusal('FORBIDDEN');
    done();
  });
}
