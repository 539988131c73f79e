/**
 * Browsers' reports of what a page's policy has kept from happening (CSP level 3, by the Reporting API or the older
 * `report-uri`): a fault in a page, or somebody's script in one. Anybody may send one, and any site can make its visitors do
 * so; what goes to the log is of the bank's own pages, cleaned, cut, and a few lines a minute.
 */
import type { FastifyInstance } from 'fastify';
import { unprintable } from '#contract/fields.ts';
import { openRateLimit } from '../base/rateLimit.ts';

/** No call of the API, for browsers send here in forms of their own; but under its path, where limits hold. */
export const policyReportsPath = '/api/v1/csp-report';

const types = ['application/csp-report', 'application/reports+json'];
const maxBytes = 16 * 1024;
const mostOfOneBody = 5;
const longest = 200;
const linesAMinute = 20;
const everyUnprintable = new RegExp(unprintable, 'gu');
/** What stands before an address's host and may be a name and a password, however a browser or a liar writes it. */
const userInfo = /^((?:blob:|view-source:)?(?:[a-z][a-z\d+.-]*:)?[/\\]*)[^/\\]*@/i;

type Fields = Record<string, unknown>;
const asFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** A word of a report; of an address what may be said aloud. */
const cut = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value)
        .replace(/[?#].*$/s, '')
        .replace(everyUnprintable, '')
        .trim()
        .replace(userInfo, '$1')
        .slice(0, longest)
    : '';

type Report = Record<'directive' | 'blocked' | 'page' | 'source' | 'line', string>;

function readReports(text: string): Report[] {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    return [];
  }
  const bodies = Array.isArray(sent) ? sent.map(one => asFields(one).body) : [asFields(sent)['csp-report']];
  return bodies
    .slice(0, mostOfOneBody)
    .map(asFields)
    .map(body => ({
      directive: cut(body.effectiveDirective ?? body['effective-directive'] ?? body['violated-directive']),
      blocked: cut(body.blockedURL ?? body['blocked-uri']),
      page: cut(body.documentURL ?? body['document-uri']),
      source: cut(body.sourceFile ?? body['source-file']),
      line: cut(body.lineNumber ?? body['line-number']),
    }))
    .filter(({ directive }) => directive !== '');
}

/** Takes reports of pages of `publicUrl`, an origin, and says 204 to all others too. */
export function takePolicyReports(app: FastifyInstance, publicUrl: string): void {
  const lines = openRateLimit({ times: linesAMinute, seconds: 60 });
  void app.register(async scope => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(types, { parseAs: 'string', bodyLimit: maxBytes }, (_, text, done) =>
      done(null, text),
    );
    scope.post(policyReportsPath, { config: { addressQuota: 'reports' } }, async ({ body, log }, reply) => {
      const reports = typeof body === 'string' ? readReports(body) : [];
      for (const report of reports.filter(({ page }) => page.startsWith(`${publicUrl}/`))) {
        if (lines.left('all') === 0) break;
        lines.count('all');
        log.warn(report, 'a page broke its policy');
      }
      return reply.code(204).send();
    });
  });
}
