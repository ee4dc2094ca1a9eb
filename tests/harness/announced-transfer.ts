import { randomUUID } from 'node:crypto'
import { startTopUp } from '#features/finance/contract.ts'
import { must } from '#foundation/must.ts'
import type { Customer } from './customer.ts'
import { bodyOf } from './hosts.ts'

/** Announces a bank transfer of a customer (minor units). Returns the id of the top-up and the reference for the bank. */
export async function announceTransfer(
  { api }: Pick<Customer, 'api'>,
  amount: bigint | number = 2500,
): Promise<{ id: string; reference: string }> {
  const headers = { 'idempotency-key': randomUUID() }
  const reply = await api.call(startTopUp, { headers, body: { amount: String(amount), provider: 'bank' } })
  const { id, bank } = bodyOf(reply, 201)
  return { id, reference: must(bank).reference }
}
