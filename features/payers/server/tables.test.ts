import { expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { addHost, asOwner } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()

type Row = { id: string }
const agree = async (owner: Customer, payer: Customer): Promise<string> => {
  const [row] = await asOwner(
    test,
    `insert into payment_agreements (owner_id, payer_id, asked_by, all_hosts, pays, state, accepted_at)
     values ($1, $2, 'owner', false, 'all', 'offered', null) returning id`,
    [owner.user_id, payer.user_id],
  )
  const { id } = must(row as Row | undefined)
  await asOwner(test, `update payment_agreements set state = 'active', accepted_at = now() where id = $1`, [
    id,
  ])
  return id
}
const pay = (owner: Customer, host: string, agreement: string) =>
  asOwner(
    test,
    `insert into host_payers (host_id, user_id, agreement_id) select id, $1, $3 from hosts where public_id = $2`,
    [owner.user_id, host, agreement],
  )

it('Y-01 a server has one payer at most, by an agreement that is active', async () => {
  const [owner, payer, other] = await Promise.all([
    signedInCustomer(test),
    signedInCustomer(test),
    signedInCustomer(test),
  ])
  const [host, theirs] = [await addHost(owner.api, {}), await addHost(other.api, {})]
  const [first, second] = [await agree(owner, payer), await agree(owner, other)]
  await pay(owner, host.id, first)
  await expect(pay(owner, host.id, second)).rejects.toThrow('host_payers_pkey')
  await expect(pay(other, theirs.id, second)).rejects.toThrow('foreign key')
  await expect(
    asOwner(
      test,
      `update payment_agreements set state = 'ended', ended_by = 'payer', ended_at = now() where id = $1`,
      [first],
    ),
  ).rejects.toThrow('foreign key')
})

it('a deleted server no longer has a payer', async () => {
  const [owner, payer] = await Promise.all([signedInCustomer(test), signedInCustomer(test)])
  const host = await addHost(owner.api, {})
  await pay(owner, host.id, await agree(owner, payer))
  await asOwner(test, 'update hosts set deleted_at = now() where public_id = $1', [host.id])
  expect(await asOwner(test, 'select * from host_payers where user_id = $1', [owner.user_id])).toEqual([])
})
