/**
 * The audit log's filters in the URL (`?view=audit&actorKind=admin&startDate=2026-11-01`), parsed with the contract's own
 * schemas. Invalid values are dropped.
 */
import * as z from 'zod/mini';
import { adminApi } from '#contract/admin.ts';
import type { actorKinds } from '#contract/entities.ts';
import { viewAddress } from '../panel/viewAddress.ts';

/** All values are text; empty means no filter. `person` is the id of a person or a transaction. */
export type AuditFilters = {
  actorKind: string;
  action: string;
  person: string;
  startDate: string;
  endDate: string;
};

const names = [
  'actorKind',
  'action',
  'person',
  'startDate',
  'endDate',
] as const satisfies (keyof AuditFilters)[];
export const noAuditFilters: AuditFilters = {
  actorKind: '',
  action: '',
  person: '',
  startDate: '',
  endDate: '',
};

const { shape } = adminApi.auditLog.query;

/** Reads the filters from the URL. Invalid values become empty. */
export function readAuditFilters(address: URLSearchParams): AuditFilters {
  const filters = { ...noAuditFilters };
  for (const name of names) {
    const read = z.safeParse(shape[name], address.get(name) ?? '');
    if (read.success && read.data) filters[name] = String(read.data);
  }
  return filters;
}

const given = (filters: AuditFilters) =>
  names.filter(name => filters[name] !== '').map(name => [name, filters[name]] as const);

/** The URL of the log with these filters; empty filters are left out. */
export const auditFiltersAddress = (filters: AuditFilters) => viewAddress('audit', 1, given(filters));

/** The filters as the call's query. */
export function auditQuery(filters: AuditFilters): Partial<Omit<AuditFilters, 'actorKind'>> & {
  actorKind?: (typeof actorKinds)[number];
} {
  return Object.fromEntries(given(filters));
}
