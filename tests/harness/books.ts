import { withConnectionAt } from './pools.ts'
import type { TestApp } from './test-app.ts'

/**
 * Returns the errors of the books as sentences. There are none if each order agrees with its charge, its period and its invoice, each
 * refund with its credit note, the periods of a host do not overlap, and hosts show the runtime that was paid. Reads the tables of four
 * features at once, which no part of the product may do.
 */
export async function mistakesIn({ app }: Pick<TestApp, 'app'>): Promise<string[]> {
  return withConnectionAt(app.ownerUrl, async (owner) => {
    const found: string[] = []
    for (const statement of statements)
      found.push(...(await owner.query<{ mistake: string }>(statement)).rows.map(({ mistake }) => mistake))
    return found
  })
}

const statements = [
  `select 'orders ' || coalesce(o.ids, '-') || ', charge ' || coalesce(t.id::text, '-') || ', invoice '
      || coalesce(i.number, '-') || ' and their periods do not agree' as mistake
    from (
      select o.transaction_id, string_agg(o.id::text, ' ') as ids, min(o.invoice_id) as invoice_id, count(distinct o.invoice_id) as invoices,
        sum(o.total) as total, sum(o.net) as net, sum(o.vat) as vat, min(coalesce(o.payer_id, o.user_id)::text)::uuid as user_id, count(distinct (o.user_id, o.agreement_id)) as owners,
        bool_or(o.kind = 'auto_renewal' or o.payer_id is not null) as is_inner, array_agg(o.net order by o.host_id) as nets,
        case when count(*) = 1 then min(h.public_id) end as host_id,
        bool_and(p.id is not null and (p.host_id, p.user_id) = (o.host_id, h.user_id)) as have_periods
      from licence_orders o left join paid_periods p on p.order_id = o.id left join hosts h on h.id = o.host_id
      where not (o.kind = 'trial' or o.promo is not null) or (o.total, o.net, o.vat) <> (0, 0, 0) or coalesce(o.transaction_id::text, o.invoice_id) is not null
      group by o.transaction_id) o
    full join (select * from transactions where type in ('spend', 'inner_spending')) t on t.id = o.transaction_id
    full join (select * from invoices where kind = 'invoice' and version = 1) i on i.public_id = o.invoice_id
    left join entries e on e.transaction_id = t.id and e.of_customer
    left join transaction_documents d on d.transaction_id = t.id and d.invoice_id = o.invoice_id
    where (o.total, o.total, o.net, o.vat) is distinct from (-e.amount, (i.total + i.gift)::numeric, (i.net + i.allowance)::numeric, (i.vat + i.gift - i.allowance)::numeric)
      or o.have_periods is distinct from true or d.transaction_id is null or i.transaction_id is distinct from t.id
      or o.invoices <> 1 or o.owners <> 1
      or o.nets is distinct from (
        -- The lines of an order are its plan and the extras behind it.
        select array_agg(s.price order by s.nth) from (
          select l.nth, sum(l.price)::bigint as price from (
            select price, count(*) filter (where description ->> 'code' <> 'extra') over (order by place) as nth
            from invoice_lines where invoice_id = i.id) l group by l.nth) s)
      or t.user_id is distinct from o.user_id or i.user_id is distinct from o.user_id
      or (t.host_id, i.host_id) is distinct from (o.host_id, o.host_id)
      or (t.type = 'inner_spending') is distinct from o.is_inner`,
  `select 'refund ' || t.id || ' and its credit note do not agree' as mistake
    from transactions t join entries e on e.transaction_id = t.id and e.of_customer
    left join invoices c on c.kind = 'credit_note' and c.transaction_id = t.id
    where t.type in ('return_on_balance', 'inner_refund') and c.total + c.gift is distinct from e.amount
      -- What a reissue gives back is the difference of two documents.
      and e.amount is distinct from (select c.total + c.gift - i.total - i.gift from transaction_documents d
        join invoices c on c.public_id = d.invoice_id and c.version > 1
        join invoices i on i.transaction_id = c.transaction_id and i.kind = 'invoice' and i.version = c.version
        where d.transaction_id = t.id)`,
  `select 'transaction ' || transaction_id || ' does not sum to zero' as mistake
    from entries group by transaction_id having sum(amount) <> 0`,
  `select 'the balance of ' || b.user_id || ' is not its entries' as mistake
    from balances b where b.balance <> (select coalesce(sum(amount), 0) from entries where account_id = b.account_id)`,
  `select 'a period of host ' || host_id || ' begins while another runs' as mistake from (
      select host_id, starts_at, max(ends_at) over (partition by host_id order by starts_at, id
        rows between unbounded preceding and 1 preceding) as before
      from paid_periods where ends_at > starts_at) p where starts_at < before`,
  `select 'host ' || h.id || ' shows other runtime than was paid' as mistake
    from hosts h left join lateral (
      select max(ends_at) as ends_at from paid_periods where host_id = h.id and ends_at > starts_at) p on true
    where h.deleted_at is null and h.paid_until is distinct from p.ends_at`,
  `select 'host ' || h.id || ' is watched for another change of plan' as mistake
    from hosts h join licence_watches w on w.host_id = h.id cross join lateral (
      select min(l.starts_at) as at from licence_at(h.id, now()) l
      where l.plan <> (select plan from licence_at(h.id, now()) order by starts_at limit 1)) change
    where h.deleted_at is null and w.plan_changes_at is distinct from change.at
      and (change.at is not null or w.plan_changes_at > now())`,
  `select 'host ' || p.host_id || ' has runtime without its address' as mistake
    from paid_periods p join hosts h on h.id = p.host_id join products d on d.slug = h.product
    where d.asks_address and p.ends_at > now() and p.ends_at > p.starts_at and h.deleted_at is null and exists (
      select from (values (h.ipv4), (h.ipv6)) of_host (address)
      where (address is not null or coalesce(h.ipv4, h.ipv6) is null) and not exists (
        select from licensed_addresses a where a.host_id = p.host_id and coalesce(a.ipv4, a.ipv6) = address
          and a.starts_at <= greatest(p.starts_at, now()) and a.ends_at > greatest(p.starts_at, now())))`,
  `select 'deleted host ' || h.id || ' has runtime or an address' as mistake
    from hosts h where h.deleted_at is not null and (
      exists (select from paid_periods p where p.host_id = h.id and p.ends_at > now() and p.ends_at > p.starts_at)
      or exists (select from licensed_addresses a where a.host_id = h.id and a.ends_at > now()))`,
  `select 'host ' || h.id || ' is watched for another end' as mistake
    from hosts h left join licence_watches w on w.host_id = h.id
    where h.deleted_at is null and h.paid_until is distinct from w.ends_at`,
]
