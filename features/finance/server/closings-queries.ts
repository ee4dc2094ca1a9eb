import { sql } from 'kysely'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Account } from './ledger-queries.ts'

type Db = App['db']

/**
 * The sum that the accounts of a kind hold together, in minor units, and the number of their entries. Customers' accounts have two
 * sums, by `name`: 'credit' for balances of zero or more, 'debt' for balances below zero.
 */
type Held = { kind: Account['kind']; name: string; currency: string; sum: bigint; entries: bigint }

/**
 * Selects what the accounts held at a moment: the last closing before it, plus all entries since. A customer with entries since the
 * closing is subtracted from the side (credit or debt) on which the closing counted them, and added to the side of their new balance.
 */
const heldAt = (at: Date) => sql<Held>`
  with base as (
    select max(until) as until from ledger_closings where until <= ${at}),
  since as materialized (
    select e.account_id, e.currency, e.amount, e.balance_after, e.seq, e.user_id from entries e
    where e.created_at < ${at} and e.created_at >= coalesce((select until from base), '-infinity')),
  moved as (
    select distinct on (account_id) currency, balance_after as after, seq as entries_after,
      balance_after - sum(amount) over its as before, seq - count(*) over its as entries_before
    from since where user_id is not null window its as (partition by account_id)
    order by account_id, seq desc),
  parts as (
    select kind, name, currency, sum, entries from ledger_closings
    where until = (select until from base)
    union all
    select 'customer', case when after < 0 then 'debt' else 'credit' end, currency, after, entries_after from moved
    union all
    select 'customer', case when before < 0 then 'debt' else 'credit' end, currency, -before, -entries_before from moved
    union all
    select a.kind, a.name, s.currency, s.amount, 1 from since s join ledger_accounts a on a.id = s.account_id
    where s.user_id is null)
  select kind, name, currency, sum(sum)::bigint as sum, sum(entries)::bigint as entries
  from parts group by kind, name, currency having sum(entries) > 0`

/**
 * Returns the money `owed` to customers at a moment (the sum of balances above zero) and their `debts` (below zero), in minor units, both
 * positive. They are the sums of the last closing before the moment, plus how far each entry since moved its customer's balance above or
 * below zero. These steps add up to the balance, because the entries of an account are in the order of their times.
 */
export async function customersAt(
  db: Db,
  at: Date,
  currency: string,
): Promise<{ owed: bigint; debts: bigint }> {
  const { rows } = await sql<{ owed: bigint; debts: bigint }>`
    with base as (
      select max(until) as until from ledger_closings where until <= ${at}),
    parts as (
      select sum(sum) filter (where name = 'credit') as owed, sum(sum) filter (where name = 'debt') as debts
      from ledger_closings where until = (select until from base) and kind = 'customer' and currency = ${currency}
      union all
      select sum(greatest(balance_after, 0) - greatest(balance_after - amount, 0)),
        sum(least(balance_after, 0) - least(balance_after - amount, 0))
      from entries where user_id is not null and currency = ${currency}
        and created_at < ${at} and created_at >= coalesce((select until from base), '-infinity'))
    select coalesce(sum(owed), 0)::bigint as owed, coalesce(-sum(debts), 0)::bigint as debts from parts`.execute(
    db,
  )
  return must(rows[0])
}

/** Returns `owed` and `debts`, as `customersAt` does, at the ends of the last months that were closed before a moment, oldest first. */
export async function customersAtEnds(
  db: Db,
  { before, currency, limit }: { before: Date; currency: string; limit: number },
): Promise<{ month: string; until: Date; owed: bigint; debts: bigint }[]> {
  const { rows } = await sql<{ month: string; until: Date; owed: bigint; debts: bigint }>`
    select to_char(month, 'YYYY-MM') as month, until, coalesce(sum(sum) filter (where name = 'credit'), 0)::bigint as owed,
      coalesce(-sum(sum) filter (where name = 'debt'), 0)::bigint as debts
    from ledger_closings where until <= ${before} and kind = 'customer' and currency = ${currency}
    group by month, until order by month desc limit ${limit}`.execute(db)
  return rows.toReversed()
}

/** Returns the first day and the end of the month to close next, if it ended `wait_h` hours ago. Closings begin with the first entry. */
export async function monthToClose(
  tx: Tx,
  { time_zone, wait_h }: { time_zone: string; wait_h: number },
): Promise<{ month: string; until: Date } | undefined> {
  const { rows } = await sql<{ month: string; until: Date }>`
    with next as (
      select coalesce((select max(month) + interval '1 month' from ledger_closings),
        (select date_trunc('month', min(created_at) at time zone ${time_zone}) from entries))::timestamp as month),
    named as (
      select month::date::text as month, (month + interval '1 month') at time zone ${time_zone} as until from next)
    select month, until from named where until <= now() - make_interval(hours => ${wait_h})`.execute(tx)
  return rows[0]
}

/** Writes what all accounts held at the end of a month. A closing can never be changed. */
export async function insertClosing(tx: Tx, { month, until }: { month: string; until: Date }): Promise<void> {
  const { rows } = await heldAt(until).execute(tx)
  must(rows[0])
  await tx
    .insertInto('ledger_closings')
    .values(rows.map((held) => ({ ...held, month, until })))
    .execute()
}
