import { readdirSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkLedger } from '#features/finance/server/finance.ts'
import { migrate } from '#foundation/server/database/migrate.ts'
import { createDatabase } from '#tests/harness/test-app.ts'

// Migrates a database of the release before editions, with rows as that release wrote them, to the present schema.
const { url, drop } = await createDatabase()
const client = new pg.Client({ connectionString: url })
const ANNA = '00000000-0000-4000-8000-000000000001'
const rows = async (text: string, values: unknown[] = []) =>
  (await client.query<Record<string, unknown>>(text, values)).rows

beforeAll(async () => {
  await client.connect()
  await client.query('drop schema public cascade; create schema public')
  const earlier = readdirSync('database/migrations').filter((name) => name < '0126')
  await migrate(url, { only: earlier })
  await client.query("select set_config('app.actor', 'system', false)")
  await client.query(old)
  await migrate(url)
})

afterAll(async () => {
  await client.end()
  await drop()
})

/**
 * Business has no monthly plan, the slug of Legacy names no term, a year of Small costs less a month than all others; the running order of
 * `two` was refunded in part, a later order of `two` in full.
 */
const old = `
  insert into users (id, email) values ('${ANNA}', 'anna@example.org');
  insert into plans (slug, name_en, name_de, name_ru, term, price_net, is_active, sort, created_at, next_price_net, next_price_at) values
    ('starter-month', 'Starter', 'Start', 'Старт', 'P1M', 1000, true, 1, '2025-01-01', 1200, now() + interval '20 days'),
    ('starter-year', 'Starter', 'Start', 'Старт', 'P1Y', 10000, true, 2, '2025-01-01', null, null),
    ('business-quarter', 'Business', 'Business', 'Бизнес', 'P3M', 9000, true, 3, '2025-01-01', null, null),
    ('business-year', 'Business', 'Business', 'Бизнес', 'P1Y', 30000, true, 4, '2025-01-01', null, null),
    ('legacy', 'Legacy', 'Altbestand', 'Прежний', 'P1M', 500, false, 5, '2024-01-01', null, null),
    ('small-year', 'Small', 'Klein', 'Малый', 'P1Y', 4800, true, 6, '2025-01-01', null, null);
  insert into hosts (public_id, user_id, name, ipv4, auto_renew, licence_key, paid_until)
  select rpad(name, 22, '0'), '${ANNA}', name, ip::inet, true, 'key-' || name,
    date_trunc('day', now()) + days * interval '1 day'
  from (values ('one', '10.0.0.1', 10), ('two', '10.0.0.2', 375), ('three', '10.0.0.3', -5)) h (name, ip, days);
  insert into invoice_counters (year, last_number) values (2026, 9);

  create temporary table sold as
  select o.*, gen_random_uuid() as order_id, gen_random_uuid() as transaction_id, lpad('invoice' || place, 22, '0') as invoice,
    h.id as host_id, date_trunc('day', now()) + start * interval '1 day' as starts_at,
    date_trunc('day', now()) + stop * interval '1 day' as ends_at
  from (values
    (1, 'one', 'starter-month', 'order', 1000, -50, -20, null),
    -- Bought before the price rose: a period is worth what was paid, not what the plan costs today.
    (2, 'one', 'starter-month', 'auto_renewal', 900, -20, 10, null),
    (3, 'two', 'starter-year', 'order', 10000, -355, 10, null),
    (4, 'two', 'business-quarter', 'renewal', 9000, 10, 10, 'refunded'),
    (5, 'two', 'business-year', 'renewal', 30000, 10, 375, null),
    (6, 'three', 'legacy', 'order', 500, -35, -5, null)) o (place, host, plan, kind, net, start, stop, ended)
  join hosts h on h.name = o.host;

  insert into licence_orders (id, user_id, host_id, kind, plan, plan_name, term, ipv4, net, vat, total, vat_rate_bp, currency,
    transaction_id, invoice_id, ordered_at)
  select order_id, '${ANNA}', host_id, kind, plan, jsonb_build_object('en', name_en, 'de', name_de, 'ru', name_ru), term, '10.0.0.1',
    net, 0, net, 0, 'EUR', transaction_id, invoice, starts_at
  from sold join plans on slug = plan;
  insert into paid_periods (user_id, host_id, order_id, starts_at, ends_at, anchor_day, ended)
  select '${ANNA}', host_id, order_id, starts_at, ends_at, 1, ended from sold;

  insert into invoices (public_id, user_id, year, place, number, kind, transaction_id, issued_at, locale, currency, net, vat, total,
    vat_kind, vat_country, vat_rate_bp, keep_until)
  select invoice, '${ANNA}', 2026, place, 'HD-' || place, 'invoice', transaction_id, now(), 'en', 'EUR', net, 0, net,
    'reverse_charge', 'AT', 0, '2037-01-01' from sold;
  insert into invoices (public_id, user_id, year, place, number, kind, credit_note_of, transaction_id, issued_at, locale, currency,
    net, vat, total, vat_kind, vat_country, vat_rate_bp, keep_until)
  select lpad('credit' || i.place, 22, '0'), '${ANNA}', 2026, 100 + i.place, 'HD-' || 100 + i.place, 'credit_note', i.id,
    gen_random_uuid(), now(), 'en', 'EUR', back, 0, back, 'reverse_charge', 'AT', 0, '2037-01-01'
  from (values (3, 2500), (4, 9000)) c (place, back) join invoices i on i.place = c.place;
  insert into invoice_lines (invoice_id, place, user_id, description, quantity, cost, price)
  select id, 1, '${ANNA}', '{}', 1, net, net from invoices;
`

it('L-10 each plan gets an edition of its name without the term, ranked by what it costs a month', async () => {
  expect(await rows('select slug, edition from plans order by sort')).toEqual([
    { slug: 'starter-month', edition: 'starter' },
    { slug: 'starter-year', edition: 'starter' },
    { slug: 'business-quarter', edition: 'business' },
    { slug: 'business-year', edition: 'business' },
    { slug: 'legacy', edition: 'legacy' },
    { slug: 'small-year', edition: 'small' },
  ])
  expect(await rows('select slug, name, rank, is_active from editions order by rank')).toEqual([
    { slug: 'small', name: { en: 'Small', de: 'Klein', ru: 'Малый' }, rank: 10, is_active: true },
    { slug: 'legacy', name: { en: 'Legacy', de: 'Altbestand', ru: 'Прежний' }, rank: 20, is_active: true },
    { slug: 'starter', name: { en: 'Starter', de: 'Start', ru: 'Старт' }, rank: 30, is_active: true },
    { slug: 'business', name: { en: 'Business', de: 'Business', ru: 'Бизнес' }, rank: 40, is_active: true },
  ])
})

it('L-12 the price of a plan is its first row, and the planned one counts from its day for orders and renewals', async () => {
  expect(
    await rows(
      `select r.plan, r.net, r.from_at = coalesce(p.next_price_at, r.from_at) as planned, r.renewals_from_at = r.from_at as at_once
       from plan_prices r left join plans p on p.slug = r.plan and p.next_price_net = r.net order by r.id`,
    ),
  ).toEqual([
    { plan: 'starter-month', net: '1000', planned: true, at_once: true },
    { plan: 'starter-year', net: '10000', planned: true, at_once: true },
    { plan: 'business-quarter', net: '9000', planned: true, at_once: true },
    { plan: 'business-year', net: '30000', planned: true, at_once: true },
    { plan: 'legacy', net: '500', planned: true, at_once: true },
    { plan: 'small-year', net: '4800', planned: true, at_once: true },
    { plan: 'starter-month', net: '1200', planned: true, at_once: true },
  ])
})

const planAtTimes = `
  select h.name, days, l.plan, l.edition, l.term
  from hosts h cross join generate_series(-60, 400, 7) days
  left join lateral (
    select * from licence_at(h.id, date_trunc('day', now()) + days * interval '1 day') l
    where l.starts_at <= date_trunc('day', now()) + days * interval '1 day'
    order by l.starts_at desc limit 1) l on true
  order by h.name, days`
/** The plan at each time by the orders alone, as the previous release derived it. */
const orderedAtTimes = `
  select h.name, days, o.plan, l.edition, o.term
  from hosts h cross join generate_series(-60, 400, 7) days
  left join lateral (
    select o.plan, o.term from paid_periods p join licence_orders o on o.id = p.order_id
    where p.host_id = h.id and p.ends_at > p.starts_at and p.starts_at <= date_trunc('day', now()) + days * interval '1 day'
    order by p.starts_at desc limit 1) o on true
  left join plans l on l.slug = o.plan
  order by h.name, days`

it('L-10 the plan at any time is that of the order, before the periods are filled and after', async () => {
  const ordered = await rows(orderedAtTimes)
  expect(new Set(ordered.map(({ plan }) => plan))).toEqual(
    new Set([null, 'legacy', 'starter-month', 'starter-year', 'business-year']),
  )
  expect(await rows('select from paid_periods where plan is null')).toHaveLength(6)
  expect(await rows(planAtTimes)).toEqual(ordered)
  const renewals = await rows('select host_id, net, charged_at from due_renewals order by host_id')
  const running = await rows('select ipv4, plan from announcement_hosts order by ipv4')
  expect(running.map(({ plan }) => plan)).toEqual(['starter-month', 'starter-year', null])

  // The test fills the periods in portions, as the job does.
  for (const filled of [4, 2, 0]) expect(await rows('select fill_periods(4) as filled')).toEqual([{ filled }])
  expect(await rows('select from paid_periods where plan is null')).toEqual([])
  expect(await rows(planAtTimes)).toEqual(ordered)
  expect(await rows('select host_id, net, charged_at from due_renewals order by host_id')).toEqual(renewals)
  expect(renewals.map(({ net }) => net)).toEqual(['1000', '30000', '500'])
  expect(await rows('select ipv4, plan from announcement_hosts order by ipv4')).toEqual(running)
})

it('L-11 a period of the previous release is worth what was paid less its credit notes, and the ledger check agrees', async () => {
  const filled = await rows(
    `select p.net, p.payer_id, p.invoice_id = o.invoice_id and p.transaction_id = o.transaction_id as paid_by_its_order,
       p.term_starts_at = p.starts_at as whole
     from paid_periods p join licence_orders o on o.id = p.order_id order by o.invoice_id`,
  )
  const same = { payer_id: ANNA, paid_by_its_order: true, whole: true }
  expect(filled).toEqual(['1000', '900', '7500', '0', '30000', '500'].map((net) => ({ net, ...same })))
  const apart = `select from period_values where (net, plan, term) is distinct from (documented_net, ordered_plan, ordered_term)`
  expect(await rows(apart)).toEqual([])
  expect(await rows('select from paid_ends where paid_until is distinct from periods_until')).toEqual([])
  const about = (await checkLedger(url)).damages.map((damage) => JSON.stringify(damage))
  expect(about.filter((text) => /period|paid_until/.test(text))).toEqual([])
})
