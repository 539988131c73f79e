/** Pages of a list, numbered from 1. A list without rows has one page. */

export type Page = { page: number; limit: number };

/** The fields of an answer that say which page it is. */
export function pageOf({ page, limit }: Page, total: number): { currentPage: number; totalPages: number } {
  return { currentPage: page, totalPages: Math.max(1, Math.ceil(total / limit)) };
}

/** How many rows come before the requested page. */
export function rowsBefore({ page, limit }: Page): number {
  return (page - 1) * limit;
}
