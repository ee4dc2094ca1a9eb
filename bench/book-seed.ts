import { withConnection } from '#foundation/server/database/with-connection.ts'

export type BookSizes = { customers: number; invoices: number; transactions: number; hosts: number }

/**
 * Writes two years of a company into the tables: customers in 12 countries, their invoices (one in fifty is a credit note), the bookings
 * of their balances, and servers with one paid period for each invoice. Triggers and foreign keys are off: these rows need no checks.
 */
export async function seedBooks(url: string, sizes: BookSizes): Promise<void> {
  const { customers, invoices, transactions, hosts } = sizes
  await withConnection(url, async (client) => {
    const say = (what: string) => process.stderr.write(`bench: books: ${what} …\n`)
    await client.query("select set_config('app.actor', 'system', false)")
    await client.query('set session_replication_role = replica')
    say('customers')
    await client.query(
      `with person as (
         insert into users (email) select 'customer-' || n || '@example.org' from generate_series(1, $1::int) n
         returning id, substr(email, 10, length(email) - 21)::int as n),
       address as (
         insert into email_addresses (user_id, email, verified_at, is_primary)
         select id, 'customer-' || n || '@example.org', now(), true from person)
       insert into profiles (user_id, name, surname)
       select id, (array['Anna', 'Boris', 'Carla', 'Dmitri', 'Elsa'])[1 + n % 5], 'Customer' || n from person`,
      [customers],
    )
    await client.query(
      'create temporary table people as select id as user_id, row_number() over () as n from users where not is_staff',
    )
    await client.query('create index on people (n)')
    say('servers')
    await client.query(
      `insert into hosts (public_id, user_id, name, licence_key, auto_renew)
       select lpad(n::text, 22, 'H'), (select user_id from people where people.n = 1 + s.n % $2), 'web-' || n, lpad(n::text, 32, 'K'), true
       from generate_series(1, $1::int) s (n)`,
      [hosts, customers],
    )
    await client.query(
      `with edition as (insert into editions (slug, name) values ('bench', '{"en": "Bench", "de": "Bench", "ru": "Bench"}')),
       plan as (
         insert into plans (slug, edition, name_en, name_de, name_ru, term) values ('bench-month', 'bench', 'Bench', 'Bench', 'Bench', 'P1M'))
       insert into plan_prices (plan, net, from_at, renewals_from_at) values ('bench-month', 1990, now(), now())`,
    )
    say('invoices')
    await client.query(
      `with given as (
         select n, n % 50 = 0 as is_credit, timestamptz '2024-12-01' + n * (interval '722 days' / $1) as at,
           (array['DE','DE','DE','DE','DE','DE','FR','AT','LV','PL','US','CH'])[1 + n % 12] as country
         from generate_series(1, $1::int) n),
       issued as (
         insert into invoices (public_id, user_id, year, place, number, kind, credit_note_of, transaction_id, issued_at, locale, currency,
           net, vat, total, vat_kind, vat_country, vat_rate_bp, keep_until)
         select lpad(n::text, 22, 'I'), (select user_id from people where people.n = 1 + g.n % $2), extract(year from at), n,
           'HD-' || extract(year from at) || '-' || lpad(n::text, 6, '0'), case when is_credit then 'credit_note' else 'invoice' end,
           case when is_credit then n - 1 end, gen_random_uuid(), at, 'en', 'EUR', 1990,
           case when country in ('US', 'CH') or n % 97 = 0 then 0 else 378 end, case when country in ('US', 'CH') or n % 97 = 0 then 1990 else 2368 end,
           case when country in ('US', 'CH') then 'outside_eu' when n % 97 = 0 then 'reverse_charge' when country = 'DE' then 'standard' else 'oss' end,
           country, case when country in ('US', 'CH') or n % 97 = 0 then 0 else 1900 end, at::date + 3000
         from given g order by n returning id, user_id)
       insert into invoice_snapshots (invoice_id, user_id, seller, buyer, notes, evidence)
       select id, user_id, '{"name":"Bench GmbH"}', '{"name":"Anna","company":"","vat_id":""}', '[]', '{}' from issued`,
      [invoices, customers],
    )
    say('periods')
    await client.query(
      `with given as (
         select n, 1 + n % $2 as host_id, timestamptz '2024-12-01' + n * (interval '722 days' / $1) as at from generate_series(1, $1::int) n),
       ordered as (
         insert into licence_orders (id, user_id, host_id, kind, plan, plan_name, term, ipv4, net, vat, total, vat_rate_bp, currency,
           transaction_id, invoice_id, ordered_at)
         select gen_random_uuid(), h.user_id, h.id, 'order', 'bench-month', '{}', 'P1M', '192.0.2.1', 1990, 378, 2368, 1900, 'EUR',
           gen_random_uuid(), lpad(n::text, 22, 'I'), at
         from given g join hosts h on h.id = g.host_id returning *)
       insert into paid_periods (user_id, host_id, order_id, starts_at, ends_at, anchor_day, plan, edition, term, net, payer_id,
         invoice_id, transaction_id, term_starts_at, entitlements)
       select user_id, host_id, id, ordered_at, ordered_at + interval '30 days', 1, plan, 'bench', term, net, user_id, invoice_id,
         transaction_id, ordered_at, '{}' from ordered`,
      [invoices, hosts],
    )
    await client.query(
      'update hosts h set paid_until = p.ends_at from (select host_id, max(ends_at) as ends_at from paid_periods group by 1) p where p.host_id = h.id',
    )
    say('transactions')
    await client.query(
      `insert into ledger_accounts (kind, user_id, currency) select 'customer', user_id, 'EUR' from people`,
    )
    await client.query(`insert into ledger_accounts (kind, currency, name) values ('revenue', 'EUR', '')`)
    await client.query(
      `create temporary table planted as
       select gen_random_uuid() as id, g.n, a.id as account_id, a.user_id, 1 + (g.n - 1) / $2 as seq,
         case when ((g.n - 1) / $2) % 2 = 0 then 500 else -400 end as amount,
         timestamptz '2024-12-01' + g.n * (interval '722 days' / $1) as at
       from generate_series(1, $1::int) g (n) join people on people.n = 1 + (g.n - 1) % $2
         join ledger_accounts a on a.user_id = people.user_id`,
      [transactions, customers],
    )
    await client.query(
      `insert into entries (transaction_id, account_id, currency, amount, type, user_id, seq, balance_after, created_at)
       select id, account_id, 'EUR', amount, 'spend', user_id, seq, sum(amount) over (partition by account_id order by seq), at
       from planted order by n`,
    )
    await client.query(
      `insert into entries (transaction_id, account_id, currency, amount, type, created_at)
       select p.id, a.id, 'EUR', -p.amount, 'spend', p.at from planted p, ledger_accounts a where a.kind = 'revenue' order by p.n`,
    )
    await client.query(
      `insert into balances (account_id, user_id, currency, balance, last_seq, last_at)
       select account_id, user_id, 'EUR', sum(amount), count(*), max(at) from planted group by 1, 2`,
    )
    await client.query('vacuum analyze')
  })
}
