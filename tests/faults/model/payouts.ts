import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import * as payouts from '#features/payouts/contract.ts'
import { markPayoutSent, returnPayout } from '#features/payouts/staff-contract.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { takeBack, keptOf } from './lots.ts'
import type { Person, World } from './story.ts'

const key = () => ({ 'idempotency-key': randomUUID() })
const account = { iban: 'DE89 3704 0044 0532 0130 00', holder: 'Anna Berger' }

export type PayOut = { percent: 100n | 50n | 1n; ends: 'waits' | 'sent' | 'failed' | 'returned' }

/**
 * A customer has a part of what may leave paid out, and staff send it, or the bank does not take it. No more than what they paid in and
 * have left may leave, and never what a voucher gave.
 */
export async function payOut(person: Person, { staff }: World, { percent, ends }: PayOut): Promise<string> {
  const { customer } = person
  const { payable } = bodyOf(await customer.api.call(payouts.listPayouts, { query: {} }), 200)
  const most = BigInt(payable.amount)
  expect(most <= (person.balance > 0n ? person.balance : 0n), 'no more than the balance').toBe(true)
  expect(most <= keptOf(person.lots), 'no more than was paid in and is not given back').toBe(true)
  const ask = (amount: bigint) =>
    customer.api.call(payouts.requestPayout, { headers: key(), body: { amount: String(amount), ...account } })
  expect(await ask(most + 1n)).toMatchObject({ status: 409, body: refusal(409, 'more_than_payable') })
  const amount = (most * percent) / 100n
  if (amount === 0n) return 'nothing to pay out'
  const reply = await ask(amount)
  if (reply.status !== 201) {
    expect(reply).toMatchObject({ status: 409, body: refusal(409, 'too_many_payouts') })
    return 'too many wait'
  }
  const parts = takeBack(person.lots, amount)
  const params = { userId: customer.user_id, id: bodyOf(reply, 201).id }
  person.balance -= amount
  if (ends === 'waits') return 'waits'
  if (ends !== 'failed') bodyOf(await staff.api.call(markPayoutSent, { params }), 200)
  if (ends === 'sent') return 'sent'
  const body = { reason: 'The bank knows no such account' }
  const asked = Array.from({ length: 2 }, () =>
    staff.api.call(returnPayout, { params, headers: key(), body }),
  )
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(statuses.toSorted((one, other) => one - other)).toEqual([201, 409])
  // It counts as the same payments again.
  person.lots.push(...parts)
  person.balance += amount
  return ends
}
