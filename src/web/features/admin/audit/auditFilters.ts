/**
 * The audit log's filters as they stand in the address (`?view=audit&actorKind=admin&startDate=2026-11-01`), read with the
 * contract's own rules: what no rule allows is left out.
 */
import * as z from 'zod/mini';
import { adminApi } from '#contract/admin.ts';
import type { actorKinds } from '#contract/entities.ts';
import { viewAddress } from '../panel/viewAddress.ts';

/** Each a text; empty means all. `person` is the id of a person or a transaction. */
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

/** Reads the filters out of the address. */
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

/** The address of the log with these filters; what says nothing is left out. */
export const auditFiltersAddress = (filters: AuditFilters) => viewAddress('audit', 1, given(filters));

/** The query of the call. */
export function auditQuery(filters: AuditFilters): Partial<Omit<AuditFilters, 'actorKind'>> & {
  actorKind?: (typeof actorKinds)[number];
} {
  return Object.fromEntries(given(filters));
}
