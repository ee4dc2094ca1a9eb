import type { ByTimeOrAmount } from '#foundation/paging.ts'
import { sql } from 'kysely'
import { byMoment, orderOf } from '#foundation/server/database/order.ts'
import { endOfDay, startOfDay, withinDays } from '#foundation/server/database/times.ts'
import type { App } from '#foundation/server/app.ts'
import type { Description, TransactionType } from '#features/finance/rules.ts'
import { documentOf } from './ledger-queries.ts'

/** The days from `first_day` to the day before `next_day`, in the operator's time zone. */
type Span = { first_day: string; next_day: string; time_zone: string; currency: string }

/** A movement of any customer's balance. */
export type MovementRow = {
  id: string
  type: TransactionType
  user_id: string
  created_at: Date
  /** 2026-11-23, in the operator's time zone. */
  day: string
  /** The amount that the balance gained or (negative) lost, in minor units. */
  amount: bigint
  balance_after: bigint
  /** The part of the amount that is a gift, signed as the amount. */
  gift: bigint
  description: Description
  /** The public id of its invoice or credit note. */
  invoice_id: string | null
  host_id: string | null
  /** The reference of an announced bank transfer; null otherwise. */
  reference: string | null
  /** The payment provider; '' for a movement that is no payment. */
  provider: string
  /** The place of the movement in the order of the list. */
  place: string
}

const columns = (time_zone: string) => sql`
  t.id, t.type, t.user_id, t.created_at, to_char(t.created_at at time zone ${time_zone}, 'YYYY-MM-DD') as day,
  e.amount, e.balance_after, e.gift, t.description, ${documentOf} as invoice_id, t.host_id, u.reference, coalesce(u.provider, t.description -> 'params' ->> 'provider', '') as provider`

const joined = sql`join entries e on e.transaction_id = t.id and e.of_customer
  left join transaction_documents d on d.transaction_id = t.id
  left join payment_events p on p.transaction_id = t.id left join top_ups u on u.id = p.top_up_id`

/**
 * Returns all customers' movements of these days that come after `after`, oldest first. Without `sales`, sales and their refunds are left
 * out, for which there are documents; a gift that moved between accounts is booked as spent, and is no sale.
 */
export async function movementsAfter(
  db: App['db'],
  span: Span,
  {
    after,
    limit,
    sales,
  }: { after: Pick<MovementRow, 'place' | 'id'> | undefined; limit: number; sales: boolean },
): Promise<MovementRow[]> {
  const { rows } = await sql<MovementRow>`
    select ${columns(span.time_zone)}, t.created_at::text as place
    from transactions t join transaction_types r on r.type = t.type ${joined}
    where t.currency = ${span.currency} and t.splits is null and ${withinDays(sql`t.created_at`, span)}
      and (${sales} or r.counterpart <> 'revenue' or t.description ->> 'code' = 'merge')
      and (t.created_at, t.id) > (${after?.place ?? '-infinity'}::timestamptz, ${after?.id ?? FIRST_ID}::uuid)
    order by t.created_at, t.id limit ${limit}`.execute(db)
  return rows
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'

type MovementFilter = {
  id?: string | undefined
  /** The customers to choose from. */
  people?: readonly string[] | undefined
  type?: TransactionType | undefined
  /** Days in the operator's time zone, both included. */
  from?: string | undefined
  to?: string | undefined
}

type Place = {
  after: readonly [place: string, id: string] | undefined
  limit: number
  sort: ByTimeOrAmount
}

/** Returns all customers' movements in this order. Each filter has an index or selects few rows. */
export async function movementsInOrder(
  db: App['db'],
  { id, people, type, from, to }: MovementFilter,
  where: { currency: string; time_zone: string },
  { after, limit, sort }: Place,
): Promise<MovementRow[]> {
  const { currency, time_zone } = where
  const order = orderOf(sort, {
    time: byMoment(sql`t.created_at`),
    amount: sql`e.amount`,
    id: sql`e.transaction_id`,
  })
  const conditions = [
    sql`t.splits is null and t.currency = ${currency}`,
    ...(id ? [sql`t.id = ${id}::uuid`] : []),
    ...(type ? [sql`t.type = ${type}`] : []),
    ...(from ? [sql`t.created_at >= ${startOfDay(from, time_zone)}`] : []),
    ...(to ? [sql`t.created_at < ${endOfDay(to, time_zone)}`] : []),
    ...(after ? [order.isAfter(after[0], sql`${after[1]}::uuid`)] : []),
  ]
  // Finds these customers' transactions by their accounts. The planner would rather read all transactions backwards until it met enough.
  const theirs = sql`(select t.* from ledger_accounts a join entries e on e.account_id = a.id
    join transactions t on t.id = e.transaction_id where a.user_id = any(${people ?? []}::uuid[]) offset 0)`
  const { rows } = await sql<MovementRow>`
    select ${columns(time_zone)}, ${order.place} as place
    from ${people ? theirs : sql`transactions`} as t ${joined}
    where ${sql.join(conditions, sql` and `)} order by ${order.by} limit ${limit}`.execute(db)
  return rows
}

/** The gain of the accounts of one kind, signed as in the ledger: customers' money, revenue and VAT are positive. */
export type LedgerSum = {
  kind: 'customer' | 'payments' | 'promotions' | 'revenue' | 'vat'
  /** The country of VAT; '' for the other kinds. */
  country: string
  amount: bigint
}

/** Sums all entries of these days by kind of account; VAT that was later split from revenue counts on the day of its document. */
export async function ledgerSums(db: App['db'], span: Span): Promise<LedgerSum[]> {
  const { rows } = await sql<LedgerSum>`
    with moved as (
      select t.id from transactions t
      where t.currency = ${span.currency} and t.splits is null and ${withinDays(sql`t.created_at`, span)}
      union all
      select t.id from ledger_documents d join transactions t on t.splits = d.transaction_id and t.splits_document = d.public_id
      where d.currency = ${span.currency} and ${withinDays(sql`d.issued_at`, span)})
    select a.kind, case a.kind when 'vat' then a.name else '' end as country, sum(e.amount)::bigint as amount
    from moved join entries e on e.transaction_id = moved.id join ledger_accounts a on a.id = e.account_id
    group by 1, 2 order by 1, 2`.execute(db)
  return rows
}
