import type pg from 'pg'

/** A violation: the name of the broken invariant (`law`), and the row that breaks it (`what`). */
export type Damage = { law: string; what: string }

// Each statement reads all rows and returns the rows that break its invariant. The statements rely on nothing
// but the rows.
const invariants: readonly (readonly [law: string, broken: string])[] = [
  [
    'every transaction has all its sides, which cancel out',
    `select t.id::text as what from transactions t left join entries e on e.transaction_id = t.id and e.currency = t.currency
      group by t.id having sum(e.amount) is distinct from 0
        or count(*) filter (where e.of_customer) <> case t.type when 'vat_split' then 0 else 1 end
        or count(*) filter (where not e.of_customer) not between case t.type when 'vat_split' then 2 else 1 end
          and case t.type when 'vat_split' then 2 else 3 end`,
  ],
  [
    'every entry belongs to a transaction, in its currency',
    `select e.transaction_id::text as what from entries e left join transactions t on t.id = e.transaction_id
      where t.id is null or t.currency <> e.currency`,
  ],
  [
    'every entry stands on an account that its type moves, the way that it moves it',
    `select e.transaction_id::text as what from entries e join transactions t on t.id = e.transaction_id
      left join transaction_types r on r.type = t.type left join ledger_accounts a on a.id = e.account_id
      where r.type is null or a.id is null or e.type <> t.type or a.currency <> e.currency
        or a.user_id is distinct from e.user_id or (e.of_customer and e.user_id <> t.user_id)
        or a.kind <> case when e.of_customer then 'customer' when e.is_vat then 'vat' when e.is_gift then 'promotions' else r.counterpart end
        or ((e.is_vat or e.is_gift) and r.counterpart <> 'revenue')
        or (r.sign <> 0 and sign(e.amount) <> case when e.of_customer then r.sign else -r.sign end)`,
  ],
  [
    'the entries of an account are numbered without gaps, their times never fall, and each tells the balance after it',
    `select transaction_id::text as what from (
        select transaction_id, seq, balance_after, created_at,
          row_number() over history as place, sum(amount) over history as total,
          lag(created_at) over history as time_before
        from entries where user_id is not null window history as (partition by account_id order by seq)) as run
      where place is distinct from seq or total is distinct from balance_after or time_before > created_at`,
  ],
  [
    'every balance is what its entries come to',
    `select coalesce(b.account_id, e.account_id)::text as what from balances b
      full join (select account_id, sum(amount) as total, max(seq) as seq, max(created_at) as at from entries
        where user_id is not null group by account_id) e on e.account_id = b.account_id
      left join ledger_accounts a on a.id = b.account_id
      where b.balance is distinct from e.total or b.last_seq is distinct from e.seq or b.last_at is distinct from e.at
        or a.user_id is distinct from b.user_id or a.currency is distinct from b.currency`,
  ],
  [
    'no balance is below zero but by a charge-back',
    `select transaction_id::text as what from entries where of_customer and amount < 0 and balance_after < 0 and type <> 'charge_back'
      union all select account_id::text from balances where balance < 0 and not allow_negative`,
  ],
  [
    'nothing is taken back but what was there, by the type that takes it back',
    `select t.id::text as what from transactions t join transaction_types r on r.type = t.type
        left join transactions origin on origin.id = t.reverses
      where (t.reverses is null and r.must_reverse and not (t.type = 'charge_back' and t.description ->> 'code' = 'merge'))
        or (t.reverses is not null and (origin.type is distinct from r.reverses
          or origin.user_id is distinct from t.user_id or origin.currency is distinct from t.currency))
      union all select origin.id::text from transactions origin join entries o on o.transaction_id = origin.id and o.of_customer
        join transactions t on t.reverses = origin.id join entries e on e.transaction_id = t.id and e.of_customer
      group by origin.id, o.amount having sign(o.amount + sum(e.amount)) = -sign(o.amount)`,
  ],
  [
    'gifts are spent first, and come back as gifts as far as they were spent; money comes back as money',
    `select transaction_id::text as what from (
        select e.transaction_id, e.type, e.amount, e.gift, t.description ->> 'code' as code,
          coalesce(sum(e.gift) over (partition by e.account_id order by e.seq rows between unbounded preceding and 1 preceding), 0) as held
        from entries e join transactions t on t.id = e.transaction_id where e.of_customer) as run
      where held + gift < 0 or gift is distinct from case
        when type = 'fill_balance_voucher' then case code when 'written_off' then 0 else amount end
        when type in ('spend', 'inner_spending') then -least(held, -amount)
        when type in ('return_on_balance', 'inner_refund') then gift else 0 end
      union all select o.transaction_id::text from entries o join transactions t on t.reverses = o.transaction_id
          join entries e on e.transaction_id = t.id and e.of_customer
        where o.of_customer and o.type in ('spend', 'inner_spending') group by o.transaction_id, o.amount, o.gift
        having sum(e.gift) > -o.gift or sum(e.amount - e.gift) > o.gift - o.amount
      union all select b.account_id::text from balances b
        where b.gift <> (select coalesce(sum(e.gift), 0) from entries e where e.account_id = b.account_id)`,
  ],
  [
    'a gift that was spent is the one that lowers the documents of its sale',
    `select root::text as what from (
        select coalesce(t.reverses, t.id) as root, g.amount, d.gift
        from transactions t left join entries g on g.transaction_id = t.id and g.is_gift
          left join (select transaction_id, sum(gift) as gift from ledger_documents group by 1) d on d.transaction_id = t.id
        where t.type in ('spend', 'inner_spending', 'return_on_balance', 'inner_refund')) as told
      group by root having coalesce(sum(amount), 0) <> coalesce(sum(gift), 0) and count(gift) > 0
      union all select e.transaction_id::text from entries e left join entries g on g.transaction_id = e.transaction_id and g.is_gift
        where e.of_customer and e.type in ('spend', 'inner_spending', 'return_on_balance', 'inner_refund')
          and coalesce(g.amount, 0) <> -e.gift`,
  ],
  [
    'every redemption is a transaction of its customer over the amount of its voucher',
    `select r.transaction_id::text as what from redemptions r left join vouchers v on v.id = r.voucher_id and v.uses = r.uses
      left join transactions t on t.id = r.transaction_id left join entries e on e.transaction_id = t.id and e.of_customer
      where t.type is distinct from 'fill_balance_voucher' or t.user_id is distinct from r.user_id
        or e.amount is distinct from v.amount or r.slot > r.uses`,
  ],
  [
    'every event that was posted moved the balance of its top-up, and a top-up that is paid has one payment',
    `select p.event_id as what from payment_events p left join top_ups u on u.id = p.top_up_id
        left join transactions t on t.id = p.transaction_id
      where p.transaction_id is not null and (t.user_id is distinct from u.user_id or u.provider <> p.provider
        or t.type is distinct from case p.kind when 'charged_back' then 'charge_back' else 'fill_balance' end)
      union all select u.public_id from top_ups u
        left join payment_events p on p.top_up_id = u.id and p.kind = 'paid' and p.transaction_id is not null
      group by u.id having (u.status in ('paid', 'charged_back', 'corrected')) <> (count(p.event_id) = 1)`,
  ],
  [
    'every side of VAT is that of a document, by its amount and country',
    `select coalesce(booked.document, booked.transaction_id::text) as what from (
        select t.id as transaction_id, coalesce(t.splits_document, d.public_id) as document, a.name as country, e.currency,
          sum(e.amount) over (partition by coalesce(t.splits_document, d.public_id)) as vat
        from entries e join transactions t on t.id = e.transaction_id join ledger_accounts a on a.id = e.account_id
          left join ledger_documents d on d.transaction_id = t.id and d.version = 1
        where e.is_vat) as booked
      left join ledger_documents d on d.public_id = booked.document
      where d.public_id is null or d.vat <> booked.vat or d.country <> booked.country or d.currency <> booked.currency`,
  ],
  [
    'the accounts for VAT hold of each sale what its documents state, however often it was reissued',
    `with booked as (
        select coalesce(o.reverses, o.id) as root, a.name as country, sum(e.amount) as vat
        from entries e join transactions t on t.id = e.transaction_id join transactions o on o.id = coalesce(t.splits, t.id)
          join ledger_accounts a on a.id = e.account_id
        where e.is_vat group by 1, 2),
      stated as (
        select coalesce(t.reverses, t.id) as root, d.country, sum(d.vat) as vat
        from ledger_documents d join transactions t on t.id = d.transaction_id group by 1, 2)
      select root::text as what from booked b full join stated s using (root, country)
      where coalesce(b.vat, 0) <> coalesce(s.vat, 0)`,
  ],
  [
    'a split moves the VAT of a document of the transaction that it splits',
    `select t.id::text as what from transactions t left join ledger_documents d on d.public_id = t.splits_document
      where t.splits is not null and (d.transaction_id is distinct from t.splits or d.user_id <> t.user_id)`,
  ],
  [
    'what was spent and not given back is what the invoices say, less the credit notes',
    `select root::text as what from (
        select coalesce(t.reverses, t.id) as root, -e.amount - coalesce(g.amount, 0) as paid, d.total
        from transactions t join entries e on e.transaction_id = t.id and e.of_customer
          left join entries g on g.transaction_id = t.id and g.is_gift
          left join (select transaction_id, sum(total) as total from ledger_documents group by 1) d on d.transaction_id = t.id
        where t.type in ('spend', 'inner_spending', 'return_on_balance', 'inner_refund')) as told
      group by root having sum(paid) <> coalesce(sum(total), 0) and count(total) > 0`,
  ],
  [
    'a closed month holds what its entries come to',
    `with bounds as (
        select until, row_number() over (order by until) as place from (select distinct until from ledger_closings) as closed),
      moved as (
        select account_id, sum(amount) as amount, count(*) as entries,
          1 + width_bucket(created_at, (select array_agg(until order by until) from bounds)) as place
        from entries group by account_id, place),
      held as (
        select b.until, a.kind, a.name, a.user_id, a.currency, sum(m.amount) over history as sum, sum(m.entries) over history as entries
        from bounds b cross join ledger_accounts a left join moved m on m.account_id = a.id and m.place = b.place
        window history as (partition by a.id order by b.place)),
      told as (
        select until, kind, case when user_id is null then name when sum < 0 then 'debt' else 'credit' end as name, currency,
          sum(sum) as sum, sum(entries) as entries
        from held where entries > 0 group by 1, 2, 3, 4)
      select concat_ws(' ', coalesce(c.month::text, t.until::text), coalesce(c.kind, t.kind), coalesce(c.name, t.name)) as what
      from told t full join ledger_closings c using (until, kind, name, currency)
      where t.sum is distinct from c.sum or t.entries is distinct from c.entries`,
  ],
  [
    'a server is paid until the end of its last paid period',
    `select public_id as what from paid_ends where paid_until is distinct from periods_until`,
  ],
  [
    'a paid period has the plan and term of its order',
    `select id::text as what from period_values where plan <> ordered_plan or term <> ordered_term`,
  ],
  [
    'what paid periods are worth is what their invoices say, less the credit notes',
    `select id::text as what from period_values where net <> documented_net`,
  ],
  [
    'what one charge has bought for several servers is worth what its invoice says, and no part of it is below zero',
    `select transaction_id::text as what from sale_values where net <> documented_net or least < 0`,
  ],
  [
    'what orders of several servers cost is what their one charge took',
    `select s.transaction_id::text as what from sale_values s join entries e on e.transaction_id = s.transaction_id and e.of_customer
      where -e.amount <> s.total`,
  ],
  [
    'every document belongs to a transaction of its customer',
    `select d.transaction_id::text as what from transaction_documents d left join transactions t on t.id = d.transaction_id
      where t.user_id is distinct from d.user_id`,
  ],
]

// The most rows that are shown for an invariant: enough to see the cause; nobody reads a million broken rows.
const SHOWN = 20

/** Begins a transaction with one snapshot for all statements, so that concurrent changes do not look like damage. */
export async function beginCheck(client: pg.Client): Promise<void> {
  await client.query('begin isolation level repeatable read read only')
}

/** Returns the rows that break an invariant; changes nothing. */
export async function damagesIn(client: pg.Client): Promise<Damage[]> {
  const found: Damage[] = []
  for (const [law, broken] of invariants) {
    const { rows } = await client.query<{ what: string }>(
      `select what from (${broken}) as broken limit ${SHOWN}`,
    )
    found.push(...rows.map(({ what }) => ({ law, what })))
  }
  return found
}

/** Counts the transactions of the ledger. */
export async function countLedger(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ count: string }>('select count(*) from transactions')
  return rows[0]?.count ?? '0'
}
