import { sql } from 'kysely'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { batched } from '#foundation/server/database/batched.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Treatment } from '#features/invoices/rules.ts'
import type { VatIdAnswer } from './vat-id-source.ts'

type Db = App['db']

/** The newest answer about a VAT id. */
export type AnsweredCheck = {
  verdict: 'valid' | 'invalid'
  source: 'vies' | 'recorded'
  answered_at: Date
  requester: string
  consultation_number: string
}

/** The latest decision of staff about a customer, in force or not. It is about a VAT id, or about a `place`; the other is ''. */
export type OverrideRow = {
  id: string
  treatment: Treatment
  vat_id: string
  place: string
  valid_until: Date | null
}

export type VatProof = { check: AnsweredCheck | null; override: OverrideRow | null }

/** The proofs about a customer's VAT id: the latest check and the latest decision of staff. */
export const proofOf = async (db: Db, { user_id, vat_id }: Owned): Promise<VatProof> =>
  must(await proofs(db, `${user_id} ${vat_id}`))

type Owned = { user_id: string; vat_id: string }

const proofs = batched(async (db: Db, keys: readonly string[]) => {
  const wanted = keys.map((key) => key.split(' '))
  const { rows } = await sql<VatProof & Owned>`
    select w.user_id, w.vat_id, to_jsonb(c) as "check", to_jsonb(o) as override
    from unnest(${wanted.map(([user_id]) => user_id)}::uuid[], ${wanted.map(([, vat_id]) => vat_id)}::text[]) as w (user_id, vat_id)
    left join lateral (
      select verdict, source, answered_at, requester, consultation_number from vat_id_checks
      where user_id = w.user_id and vat_id = w.vat_id and answered_at is not null order by asked_at desc limit 1) c on true
    left join lateral (
      select id, treatment, vat_id, place, valid_until from vat_overrides
      where user_id = w.user_id order by at desc limit 1) o on true`.execute(db)
  return new Map(rows.map((row): [string, VatProof] => [`${row.user_id} ${row.vat_id}`, withTimes(row)]))
})

/** Makes dates of the times, which are texts in JSON. */
const withTimes = ({ check, override }: VatProof): VatProof => ({
  check: check && { ...check, answered_at: new Date(check.answered_at) },
  override: override && {
    ...override,
    valid_until: override.valid_until && new Date(override.valid_until),
  },
})

export type Asking = {
  /** The time of the first question about the VAT id since its last `valid` answer; null if nobody was asked since. */
  since: Date | null
  last_asked_at: Date | null
  /** The number of questions about any VAT id of the customer in the last 24 hours. */
  today: number
}

export async function askingOf(db: Db, { user_id, vat_id }: Owned): Promise<Asking> {
  const { rows } = await sql<Asking>`
    with valid as (
      select max(asked_at) as at from vat_id_checks
      where user_id = ${user_id} and vat_id = ${vat_id} and verdict = 'valid')
    select min(asked_at) filter (where valid.at is null or asked_at > valid.at) as since, max(asked_at) as last_asked_at,
      (select count(*)::int from vat_id_checks where user_id = ${user_id} and asked_at > now() - interval '24 hours') as today
    from valid left join vat_id_checks c on c.user_id = ${user_id} and c.vat_id = ${vat_id}`.execute(db)
  return must(rows[0])
}

export type CheckRow = VatIdAnswer & {
  source: 'vies' | 'format' | 'recorded'
  asked_at: Date
  answered_at: Date | null
}

/** The newest questions about any id of a customer, for staff and for the customer's own data. */
export async function checksOf(
  db: Db,
  user_id: string,
  limit: number,
): Promise<(CheckRow & { vat_id: string })[]> {
  return db
    .selectFrom('vat_id_checks')
    .select([
      'vat_id',
      'source',
      'verdict',
      'asked_at',
      'answered_at',
      'consultation_number',
      'name',
      'address',
      'raw',
    ])
    .where('user_id', '=', user_id)
    .orderBy('asked_at', 'desc')
    .limit(limit)
    .$narrowType<CheckRow>()
    .execute()
}

export async function insertCheck(
  tx: Tx,
  { raw, ...row }: Omit<CheckRow, 'answered_at'> & Owned & { requester: string },
): Promise<void> {
  await tx
    .insertInto('vat_id_checks')
    .values({
      ...row,
      raw: JSON.stringify(raw),
      answered_at: row.verdict === 'unverified' ? null : sql<Date>`clock_timestamp()`,
    })
    .execute()
}

/** Returns the customers whose VAT id must be asked about: never asked, or too long ago. With `isOff`, those without any record. */
export async function dueChecks(db: Db, customers: readonly Owned[], isOff: boolean): Promise<string[]> {
  const column = (name: keyof Owned) => customers.map((customer) => customer[name])
  const { rows } = await sql<{ user_id: string }>`
    select w.user_id from unnest(${column('user_id')}::uuid[], ${column('vat_id')}::text[]) as w (user_id, vat_id)
    left join lateral (
      select verdict, asked_at from vat_id_checks where user_id = w.user_id and vat_id = w.vat_id
        and (source <> 'format' or ${isOff}) order by asked_at desc limit 1) c on true
    where c.asked_at is null or (not ${isOff}::boolean and c.asked_at < now() -
      case c.verdict when 'unverified' then interval '25 hours' else make_interval(days => ${REPEATED_AFTER_DAYS}) end)`.execute(
    db,
  )
  return rows.map(({ user_id }) => user_id)
}

/** An answer counts for 90 days. The question is repeated a week before that ends, because VIES may be unavailable for days. */
const REPEATED_AFTER_DAYS = 83
