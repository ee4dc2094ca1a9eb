import { sql, type RawBuilder } from 'kysely'
import { ownersOfAddress, ownersOfNamed } from '#features/hosts/server/hosts.ts'
import {
  accountsWithAddress,
  accountsWithVatId,
  peopleLike,
  streetsWith,
} from '#features/profile/server/profile.ts'
import { inState, type Wanted } from './list-queries.ts'
import type { Words } from './search.ts'

type People = RawBuilder<{ user_id: string }>

/** A statement for the ids of the customers whom `found`, if it is given, names; a part of another statement. */
export function idsOfCustomers({
  found,
  state,
  debt,
  currency,
}: Pick<Wanted, 'state' | 'debt' | 'currency'> & { found: People | undefined }): People {
  return sql`select c.user_id from customer_list c where (c.currency is null or c.currency = ${currency})
    and ${found ? sql`c.user_id in (${found})` : sql`true`} and ${state ? inState[state] : sql`true`}
    and ${debt ? sql`c.balance < 0` : sql`true`}`
}

// A list shows the first of those whom a text finds; a letter goes to all of them.
const ALL = sql<number>`null`

/** Statements for all whom a text finds, however many; parts of another statement. A network finds the owners of its servers. */
export const everyone = {
  at: (address: string): People => sql`select user_id from (${ownersOfAddress(address, ALL)}) as hosts`,
  withAddress: (beginning: string): People => accountsWithAddress(beginning, ALL),
  withVatId: (vatId: string): People => accountsWithVatId(vatId, ALL),
  withWords: (words: Words): People => sql`
    select user_id from (${peopleLike(words, ALL)}) as people
    union all select user_id from (${ownersOfNamed(words.text, ALL)}) as hosts
    union all select user_id from (${streetsWith(words, ALL)}) as streets`,
  of: (ids: Iterable<string>): People => sql`select unnest(${[...ids]}::uuid[]) as user_id`,
}
