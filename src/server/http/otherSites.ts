/**
 * Refuses calls that a page of another site, or of another port of this host, makes in its reader's browser (CSRF). Such a page
 * has no token, but it could register accounts, and use up the quotas of the reader's address until no one there can log in.
 */
import type { FastifyInstance } from 'fastify';
import { Refusal } from '#contract/errors.ts';
import { policyReportsPath } from './policyReports.ts';
import { isApiPath, routedPath } from './routedPath.ts';

/**
 * Adds the check to every route that is not a page. Every supported browser says which site a request comes from, and no script
 * can change that (Fetch Metadata). Other clients do not say it. A link to a document of the API may be anywhere.
 */
export function refuseOtherSites(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _, done) => {
    const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = request.headers;
    const isFromOther = site === 'cross-site' || site === 'same-site';
    const isLink = request.method === 'GET' && mode === 'navigate';
    const path = routedPath(request);
    // The browser itself sends the reports.
    if (isFromOther && !isLink && isApiPath(path) && path !== policyReportsPath)
      throw new Refusal('FORBIDDEN');
    done();
  });
}
