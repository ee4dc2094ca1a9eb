import { expect, it } from 'vitest'
import { createHost, updateHost } from '#features/hosts/contract.ts'
import * as contract from '#features/payers/contract.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { addHost, asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { untilAnswered } from '#tests/harness/until-answered.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })

const propose = async ({ api }: Customer, email: string, host_ids: string[] | 'all') =>
  bodyOf(
    await api.call(contract.createAgreement, {
      headers: {},
      body: {
        email,
        side: 'owner',
        pays: 'all',
        all_hosts: host_ids === 'all',
        ...(host_ids !== 'all' && { host_ids }),
      },
    }),
    201,
  ).id
const accept = ({ api }: Customer, agreementId: string) =>
  untilAnswered(() => api.call(contract.acceptAgreement, { params: { agreementId }, body: { version: 1 } }))
const end = ({ api }: Customer, agreementId: string) =>
  untilAnswered(() => api.call(contract.deleteAgreement, { params: { agreementId }, query: {} }))
const add = ({ api }: Customer) => untilAnswered(() => api.call(createHost, { headers: {}, body: {} }))
const rowsOf = (owner: Customer) =>
  asOwner(
    test,
    `select a.state, p.agreement_id from host_payers p join payment_agreements a on a.id = p.agreement_id where p.user_id = $1`,
    [owner.user_id],
  )

const ascending = (one: number, other: number) => one - other

it('Y-02 of 6 payers who accept the same server at once, one becomes its payer and 5 are refused', async () => {
  const payers = await Promise.all(Array.from({ length: 6 }, () => signedInCustomer(test)))
  const owner = await signedInCustomer(test)
  const host = await addHost(owner.api, {})
  const ids: string[] = []
  for (const payer of payers) ids.push(await propose(owner, payer.email, [host.id]))
  const answers = await Promise.all(payers.map((payer, place) => accept(payer, ids[place] ?? '')))
  expect(answers.map(({ status }) => status).toSorted(ascending)).toEqual([200, 409, 409, 409, 409, 409])
  expect(await rowsOf(owner)).toHaveLength(1)
  const states = await asOwner(
    test,
    'select state from payment_agreements where owner_id = $1 order by state',
    [owner.user_id],
  )
  expect(states).toEqual([{ state: 'active' }, ...Array.from({ length: 5 }, () => ({ state: 'offered' }))])
})

it('Y-03 an agreement that ends while servers are added, changed and accepted leaves none behind', async () => {
  const [owner, payer] = await Promise.all([signedInCustomer(test), signedInCustomer(test)])
  const host = await addHost(owner.api, {})
  for (let round = 0; round < 5; round += 1) {
    const id = await propose(owner, payer.email, 'all')
    const renew = () =>
      owner.api.call(updateHost, { params: { hostId: host.id }, body: { auto_renew: true } })
    expect((await accept(payer, id)).status).toBe(200)
    const answers = await Promise.all([
      end(payer, id),
      add(owner),
      untilAnswered(renew),
      end(owner, id),
      add(owner),
    ])
    const ends = [answers[0].status, answers[3].status]
    expect(ends.toSorted(ascending)).toEqual([204, 404])
    expect(await rowsOf(owner)).toEqual([])
  }
})
