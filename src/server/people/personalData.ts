/**
 * What the bank stores about people. For each column of each table: what happens to it when a customer is erased, and whether
 * the copy of all data (`jobs/everything.ts`) contains it. JSON columns and files are in `jsonErasure.ts`. `erasing.ts` derives
 * what it deletes from here, and its test compares the list with the database.
 */
import { deletedTables } from './deletedTables.ts';
import { keptTables } from './keptTables.ts';

/** What identifies a customer in a table. */
export type CustomerKey = 'customerId' | 'accountId' | 'email';

/** A string lists columns, separated by spaces. The tests fail if a column of a table has no entry. */
export type PersonalTable = {
  /** `erasePerson` deletes the rows in which this column has this value of the customer. */
  readonly deletedWhere?: Readonly<Record<string, CustomerKey>>;
  /** `eraseInBatches` deletes the rows in which this column has this value: there may be millions. */
  readonly deletedInBatches?: Readonly<Record<string, 'accountId'>>;

  // If the rows stay, each column is in exactly one of these four groups.
  /** `erasePerson` overwrites these columns in the customer's row with these values. */
  readonly erased?: Readonly<Record<string, string | boolean | null>>;
  /** Erased by the code that the value names. */
  readonly erasedElsewhere?: Readonly<Record<string, string>>;
  /** Personal, but kept; the value is the reason. */
  readonly kept?: Readonly<Record<string, string>>;
  /** The columns that hold no personal data. */
  readonly notPersonal?: string;

  // What the copy of all data has of a table with rows of a customer. Each column is either copied or left out, except the
  // columns of `deletedWhere`, which only identify the customer.
  /** The file in the copy. */
  readonly file?: string;
  /** What the README of the copy says about the file. */
  readonly about?: string;
  readonly copied?: string;
  /** An SQL condition: the copy has only these rows. */
  readonly copiedIf?: string;
  /** The copied columns with amounts in cents. The copy has them in dollars, as everywhere else. */
  readonly cents?: string;
  /** The copied columns with a day, as `2026-11-25`. */
  readonly days?: string;
  /** Why a column, or the whole table, is not in the copy. */
  readonly leftOut?: string | Readonly<Record<string, string>>;
  /** How the customer's rows are found if they stay. */
  readonly foundBy?: Readonly<Record<string, CustomerKey>>;
  /** The rows belong to the customer's rows in `table`. `column` has the id of such a row. */
  readonly partOf?: { readonly column: string; readonly table: string };
};

export const personalData: Readonly<Record<string, PersonalTable>> = { ...keptTables, ...deletedTables };
