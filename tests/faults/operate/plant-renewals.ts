import pg from 'pg'

const HOSTS_EACH = 4

/**
 * Writes customers with four licensed hosts each, money for the renewals, and licences that are due for renewal now. The rows are
 * written by SQL, since ordering the licences would take longer than renewing them.
 */
export async function plantRenewals(superUrl: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: superUrl })
  await client.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    for (const [place, statement] of statements.entries())
      await client.query(statement, place === 0 ? [count / HOSTS_EACH] : place === 1 ? [HOSTS_EACH] : [])
    await client.query('commit')
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

/** Queues the renewal job of each licence, all due now. */
export async function makeDue(superUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: superUrl })
  await client.connect()
  await client.query(
    `select count(enqueue_job('look_at_licence', jsonb_build_object('host_id', host_id::text), now(), 'licence:' || host_id,
       null, 'money')) from licence_watches`,
  )
  await client.end()
}

const statements = [
  `create temporary table planted on commit drop as
   select gen_random_uuid() as user_id, gen_random_uuid() as paid, 'customer-' || n || '@example.org' as email, n
   from generate_series(1, $1::int) n`,
  `create temporary table planted_hosts on commit drop as
   select p.user_id, (p.n - 1) * $1::int + place as host_id, gen_random_uuid() as order_id,
     '10.0.0.0'::inet + ((p.n - 1) * $1::int + place) as ipv4, now() - interval '29 days' as starts_at,
     date_trunc('milliseconds', now() + interval '20 hours') as ends_at
   from planted p, generate_series(1, $1::int) place`,
  `insert into users (id, email, has_password) select user_id, email, true from planted`,
  `insert into profiles (user_id, name, surname, country, address, zip, city)
   select user_id, 'Erika', 'Mustermann', 'DE', 'Hauptstraße 1', '10115', 'Berlin' from planted`,
  `insert into email_addresses (user_id, email, is_primary, verified_at) select user_id, email, true, now() from planted`,
  `insert into hosts (id, public_id, user_id, name, ipv4, auto_renew, licence_key, paid_until) overriding system value
   select host_id, substr(md5(host_id::text), 1, 22), user_id, 'web-' || host_id, ipv4, true, md5('key' || host_id), ends_at
   from planted_hosts`,
  `insert into licence_orders (id, user_id, host_id, kind, plan, plan_name, term, ipv4, net, vat, total, vat_rate_bp, currency,
     transaction_id, invoice_id, ordered_at)
   select order_id, user_id, host_id, 'order', p.slug, jsonb_build_object('en', name_en, 'de', name_de, 'ru', name_ru), p.term, ipv4, 1990, 378, 2368, 1900, 'EUR', gen_random_uuid(),
     md5('invoice' || host_id), starts_at
   from planted_hosts, (select * from plans where slug = 'standard-month') p`,
  `insert into paid_periods (user_id, host_id, order_id, starts_at, ends_at, anchor_day, plan, edition, term, net, payer_id, invoice_id,
     transaction_id, term_starts_at, entitlements)
   select h.user_id, h.host_id, o.id, h.starts_at, h.ends_at, extract(day from h.starts_at), o.plan, p.edition, o.term, o.net, h.user_id,
     o.invoice_id, o.transaction_id, h.starts_at, '{}'
   from planted_hosts h join licence_orders o on o.id = h.order_id join plans p on p.slug = o.plan`,
  `insert into licensed_addresses (user_id, host_id, ipv4, starts_at, ends_at)
   select user_id, host_id, ipv4, starts_at, ends_at from planted_hosts`,
  `insert into licence_watches (host_id, user_id, ends_at, done_days, next_at)
   select host_id, user_id, ends_at, -3, now() from planted_hosts`,
  `insert into ledger_accounts (kind, user_id, currency) select 'customer', user_id, 'EUR' from planted`,
  `insert into ledger_accounts (kind, currency, name) values ('payments', 'EUR', 'test')`,
  `insert into transactions (id, type, user_id, currency, description)
   select paid, 'fill_balance', user_id, 'EUR', '{"code":"top_up","params":{"provider":"test"}}' from planted`,
  `insert into entries (transaction_id, account_id, currency, amount, type, user_id, seq, balance_after)
   select paid, a.id, 'EUR', 100000, 'fill_balance', p.user_id, 1, 100000
   from planted p join ledger_accounts a on a.user_id = p.user_id`,
  `insert into entries (transaction_id, account_id, currency, amount, type)
   select paid, a.id, 'EUR', -100000, 'fill_balance' from planted, ledger_accounts a where a.kind = 'payments'`,
  `insert into balances (account_id, user_id, currency, balance, last_seq, last_at)
   select a.id, p.user_id, 'EUR', 100000, 1, now() from planted p join ledger_accounts a on a.user_id = p.user_id`,
  `select setval(pg_get_serial_sequence('hosts', 'id'), (select max(id) from hosts))`,
]
