import type { Customer } from '#tests/harness/customer.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import type { TestApp } from '#tests/harness/test-app.ts'

/** The effects of a customer's acts in the tables: the balance in minor units, and numbers of rows. */
export type Traces = Record<keyof typeof counted, bigint>

export async function tracesOf(test: Pick<TestApp, 'app'>, { user_id, email }: Customer): Promise<Traces> {
  const columns = Object.entries(counted).map(([name, query]) => `(${query})::text as ${name}`)
  const statement = `select ${columns.join(', ')} from (select $1::uuid, $2::text) as me (id, mail)`
  const [row = {}] = (await asOwner(test, statement, [user_id, email])) as Record<string, string>[]
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, BigInt(value)])) as Traces
}

const transactions = (type: string) =>
  `select count(*) from transactions where user_id = me.id and type = '${type}'`

const counted = {
  balance: 'select coalesce(sum(balance), 0) from balances where user_id = me.id',
  hosts: 'select count(*) from hosts where user_id = me.id and deleted_at is null',
  /** Paid runtime that is not over. */
  periods: 'select count(*) from paid_periods where user_id = me.id and ends_at > greatest(starts_at, now())',
  spend: transactions('spend'),
  inner_spending: transactions('inner_spending'),
  return_on_balance: transactions('return_on_balance'),
  invoices: "select count(*) from invoices where user_id = me.id and kind = 'invoice'",
  credit_notes: "select count(*) from invoices where user_id = me.id and kind = 'credit_note'",
  top_ups: 'select count(*) from top_ups where user_id = me.id',
  payments: transactions('fill_balance'),
  redemptions: 'select count(*) from redemptions where user_id = me.id',
  sessions: 'select count(*) from sessions where user_id = me.id',
  active_accounts: 'select count(*) from users where id = me.id and is_active',
  goodbyes: 'select count(*) from mails where user_id is null and to_address = me.mail',
}
