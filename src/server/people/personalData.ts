/**
 * What the bank stores about people: each column of each table, with what happens to it when a customer is erased and whether
 * the copy of all data (`jobs/everything.ts`) has it. JSON columns and files are in `jsonErasure.ts`. `erasing.ts` derives what
 * it deletes from here, and its test compares the list with the database.
 */
import { deletedTables } from './deletedTables.ts';
import { keptTables } from './keptTables.ts';

/** The value of the customer that selects rows. */
export type CustomerKey = 'customerId' | 'accountId' | 'email';

/** Columns in a text are separated by blanks. Each column of a table has an entry, or the tests fail. */
export type PersonalTable = {
  /** `erasePerson` deletes the rows in which this column has this value of the customer. */
  readonly deletedWhere?: Readonly<Record<string, CustomerKey>>;
  /** `eraseInBatches` deletes the rows in which this column has this value: there may be millions. */
  readonly deletedInBatches?: Readonly<Record<string, 'accountId'>>;

  // If the rows stay, each column is in exactly one of these four groups.
  /** `erasePerson` overwrites these columns in the customer's row with these values. */
  readonly erased?: Readonly<Record<string, string | boolean | null>>;
  /** Erased by other code, which the value names. */
  readonly erasedElsewhere?: Readonly<Record<string, string>>;
  /** Personal, but kept; the value is the reason. */
  readonly kept?: Readonly<Record<string, string>>;
  /** The columns that hold no personal data. */
  readonly notPersonal?: string;

  // A table with such rows is in the copy of all data, each column copied or left out, except those of `deletedWhere`.
  /** The file in the copy. */
  readonly file?: string;
  /** What the README of the copy says about the file. */
  readonly about?: string;
  readonly copied?: string;
  /** Why a column, or the whole table, is not in the copy. */
  readonly leftOut?: string | Readonly<Record<string, string>>;
  /** How the customer's rows are found if they stay. */
  readonly foundBy?: Readonly<Record<string, CustomerKey>>;
  /** The rows belong to those of another table of the customer, whose id is in this column. */
  readonly partOf?: { readonly column: string; readonly table: string };
};

export const personalData: Readonly<Record<string, PersonalTable>> = { ...keptTables, ...deletedTables };
