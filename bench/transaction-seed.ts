import pg from 'pg'
import { dropIndices } from '#foundation/server/backup/queries.ts'

/**
 * Adds transactions for each of these customers, who have none yet. Writes what the product would have written, without its
 * triggers, which would take an hour; the drill of a restore proves it right by the ledger check.
 */
export async function plantTransactions(
  ownerUrl: string,
  user_ids: readonly string[],
  each: number,
): Promise<void> {
  const superuser = new pg.Client({ connectionString: ownerUrl })
  await superuser.connect()
  try {
    await superuser.query('begin')
    await superuser.query(
      "set local session_replication_role = replica; set local maintenance_work_mem = '256MB'",
    )
    const makeIndices = await dropIndices(superuser, ['transactions', 'entries'])
    for (const [place, statement] of statements.entries())
      await superuser.query(statement, place < 2 ? [place === 0 ? user_ids : each] : [])
    await makeIndices()
    await superuser.query('commit')
    await superuser.query('analyze')
  } finally {
    await superuser.end()
  }
}

// The transactions are by turns a payment of 5.00 and a purchase of 4.00, a minute apart.
const statements = [
  `with theirs as (insert into ledger_accounts (kind, user_id, currency) select 'customer', unnest($1::uuid[]), 'EUR' returning id)
   insert into ledger_accounts (kind, currency, name) values ('payments', 'EUR', 'test'), ('revenue', 'EUR', '')`,
  `create temporary table planted on commit drop as
   select gen_random_uuid() as id, a.id as account_id, a.user_id, seq, seq % 2 = 1 as comes,
     case when seq % 2 = 1 then 500 else -400 end as amount, 500 * ((seq + 1) / 2) - 400 * (seq / 2) as balance_after,
     timestamptz '2024-01-01' + seq * interval '1 minute' as created_at
   from ledger_accounts a, generate_series(1, $1::int) seq where a.user_id is not null`,
  `insert into transactions (id, type, user_id, currency, description, created_at)
   select id, case when comes then 'fill_balance' else 'spend' end, user_id, 'EUR',
     case when comes then '{"code":"top_up","params":{"provider":"test"}}'
       else '{"code":"licence_order","params":{"host":"web-1","plan":"Standard"}}' end::jsonb, created_at from planted`,
  `insert into entries (transaction_id, account_id, currency, amount, type, user_id, seq, balance_after, created_at)
   select id, account_id, 'EUR', amount, case when comes then 'fill_balance' else 'spend' end, user_id, seq, balance_after, created_at
   from planted order by account_id, seq`,
  `insert into entries (transaction_id, account_id, currency, amount, type, created_at)
   select p.id, a.id, 'EUR', -p.amount, case when comes then 'fill_balance' else 'spend' end, p.created_at
   from planted p join ledger_accounts a on a.user_id is null and a.kind = case when comes then 'payments' else 'revenue' end`,
  `insert into balances (account_id, user_id, currency, balance, last_seq, last_at)
   select distinct on (account_id) account_id, user_id, 'EUR', balance_after, seq, created_at from planted
   order by account_id, seq desc`,
]
