/** The logged-in administrator's role, and which calls it may make. Each call in the contract lists its roles. */
import type { Endpoint } from '#contract/endpoint.ts';
import type { Role } from '#contract/roles.ts';
import { pollingOptions } from '#web/base/pollingOptions.ts';
import { selectAdmin } from '#web/base/session.ts';
import { useAppSelector } from '#web/base/store.ts';
import { useAdminProfileQuery } from '../staffCalls.ts';

/** The role; undefined until it is known after a reload. An owner can change it at any time, so it is polled. */
export function useRole(): Role | undefined {
  const atLogin = useAppSelector(selectAdmin)?.role;
  const { data } = useAdminProfileQuery(undefined, pollingOptions);
  return data?.role ?? atLogin;
}

/** Returns whether the administrator may make a call. No call is allowed until the role is known. */
export function useMay(): (call: Endpoint) => boolean {
  const role = useRole();
  return call => role !== undefined && (call.roles?.includes(role) ?? true);
}
