import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { decideApproval } from '#features/approvals/contract.ts'
import * as contract from '#features/invoices/contract.ts'
import { listPlans } from '#features/licences/contract.ts'
import { updateProfile } from '#features/profile/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { endSessionsOf } from '#foundation/server/session/session.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { addMoney, payFrom } from '#tests/harness/money.ts'
import { sell } from '#tests/harness/sale.ts'
import { orderHost, stockShop } from '#tests/harness/shop.ts'
import { poolAt } from '#tests/harness/pools.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { believePlace, confirmedAt } from '#tests/harness/vat-proof.ts'
import { countryOfNetwork } from './network-country.ts'
import type { PlaceFacts } from './place-evidence.ts'
import { closeSettled } from './place-questions.ts'
import { decideByFacts } from './place.ts'
import { vatFor } from './vat-of-customer.ts'

const test = await startTestApp()
const { app } = test
await stockShop(test)
const billing = await signedInStaff(test, { roles: ['billing'] })
const admin = await signedInStaff(test, { roles: ['admin'] })

// Networks of providers in these countries.
const networks = { DE: '91.0.0.1', CH: '85.0.0.1', LU: '188.115.1.1' }

describe('rule 54: a rate below the seller’s own needs a second fact', () => {
  const at = new Date('2026-01-15T12:00:00Z')
  const german = { country: 'DE', vatRates: new Map<string, bigint>() }
  const nothing: PlaceFacts = { payments: [], network: null, override: null }
  const decide = (address: string, facts: Partial<PlaceFacts> = {}, vat_id = '', company = german) => {
    const [country = '', zip = ''] = address.split(' ')
    const proof = confirmedAt(at)
    const known = { ...nothing, ...facts }
    const decided = decideByFacts(company, { country, zip, city: '', vat_id }, known, { at, proof })
    return `${decided.kind} ${decided.country} ${decided.rate_bp} ${decided.evidence.place?.basis}`
  }

  it.each([
    ['an address abroad alone', 'CH', {}, 'standard DE 1900 doubted'],
    ['an address at a lower rate alone', 'LU', {}, 'standard DE 1900 doubted'],
    ['an address at a higher rate alone', 'DK', {}, 'oss DK 2500 address'],
    ['an address at home alone', 'DE', {}, 'standard DE 1900 address'],
    ['no address', '', {}, 'standard DE 1900 address'],
    ['a card of the same country', 'CH', { payments: ['CH'] }, 'outside_eu CH 0 payment'],
    ['a card of the same VAT area', 'LI', { payments: ['CH'] }, 'outside_eu CH 0 payment'],
    ['a network of the same country', 'CH', { network: 'CH' }, 'outside_eu CH 0 network'],
    ['a network at home', 'CH', { network: 'DE' }, 'standard DE 1900 doubted'],
    ['a card at home', 'CH', { payments: ['DE'] }, 'standard DE 1900 doubted'],
    [
      'a card at home and a network there',
      'CH',
      { payments: ['DE'], network: 'CH' },
      'standard DE 1900 doubted',
    ],
    [
      'a card there and a network at home',
      'CH',
      { payments: ['CH'], network: 'DE' },
      'outside_eu CH 0 payment',
    ],
    ['cards of two countries', 'CH', { payments: ['CH', 'DE'] }, 'standard DE 1900 doubted'],
    ['a card of a country with a higher rate', 'CH', { payments: ['HU'] }, 'oss HU 2700 doubted'],
    [
      'a card of another country without VAT',
      'CH',
      { payments: ['GB'], network: 'CH' },
      'outside_eu CH 0 network',
    ],
    ['another country without VAT alone', 'CH', { payments: ['US'] }, 'standard DE 1900 doubted'],
    ['a network of a country with a higher rate', 'LU', { network: 'HU' }, 'oss HU 2700 doubted'],
    ['a card of a higher rate against home', 'DE', { payments: ['DK'] }, 'oss DK 2500 doubted'],
    [
      'the same with a network at home',
      'DE',
      { payments: ['LT'], network: 'DE' },
      'standard DE 1900 network',
    ],
    ['a journey', 'DE', { network: 'DK' }, 'standard DE 1900 address'],
    ['a card without VAT against home', 'DE', { payments: ['US'] }, 'standard DE 1900 address'],
    [
      'Heligoland with a German card',
      'DE 27498',
      { payments: ['DE'], network: 'DE' },
      'standard DE 1900 doubted',
    ],
    ['the Canaries with a Spanish card', 'ES 35001', { payments: ['ES'] }, 'oss ES 2100 doubted'],
    ['the Azores with a Portuguese card', 'PT 9500', { payments: ['PT'] }, 'oss PT 2300 doubted'],
    ['Madeira alone, above the rate at home', 'PT 9000', {}, 'oss PT 2200 address'],
    ['Åland with a network of its own', 'FI 22100', { network: 'AX' }, 'outside_eu FI 0 network'],
    ['Åland with a Finnish network', 'FI 22100', { network: 'FI' }, 'oss FI 2550 doubted'],
  ] as const)('%s', (_, address, facts, expected) => {
    expect(decide(address, facts)).toBe(expected)
  })

  it('a proven VAT id proves the place; one outside of the EU does not', () => {
    expect(decide('LU', { payments: ['DE'], network: 'DE' }, 'LU12345613')).toBe('reverse_charge LU 0 vat_id')
    expect(decide('CH', {}, 'CHE123456789MWST')).toBe('standard DE 1900 doubted')
  })

  it('staff believe one place, until their decision ends', () => {
    const override = (
      place: string,
      treatment: 'resident' | 'elsewhere',
      valid_until: Date | null = null,
    ) => ({
      override: { id: 'f3b1', treatment, vat_id: '', place, valid_until },
    })
    expect(decide('CH', override('CH', 'resident'))).toBe('outside_eu CH 0 staff')
    expect(decide('DE 27498', override('DE-HELGOLAND', 'resident'))).toBe('outside_eu DE 0 staff')
    expect(decide('US', override('CH', 'resident'))).toBe('standard DE 1900 doubted')
    expect(decide('CH', override('CH', 'elsewhere'))).toBe('standard DE 1900 doubted')
    expect(decide('CH', override('CH', 'resident', new Date(at.getTime() - 1)))).toBe(
      'standard DE 1900 doubted',
    )
  })

  it('the seller’s own rate counts wherever the seller is', () => {
    const luxembourg = { country: 'LU', vatRates: new Map<string, bigint>() }
    expect(decide('DE', {}, '', luxembourg)).toBe('oss DE 1900 address')
    expect(decide('CH', { network: 'LU' }, '', luxembourg)).toBe('standard LU 1700 doubted')
    const swiss = { country: 'CH', vatRates: new Map([['CH', 810n]]) }
    expect(decide('US', {}, '', swiss)).toBe('standard CH 810 doubted')
    expect(decide('US', { payments: ['US'] }, '', swiss)).toBe('outside_eu US 0 payment')
  })
})

it('rule 54: knows the country of networks by a kept table, and nothing of private and unknown ones', () => {
  for (const [ip, country] of [
    ['91.0.0.1', 'DE'],
    ['::ffff:91.0.0.1', 'DE'],
    ['85.0.0.1', 'CH'],
    ['81.2.69.142', 'GB'],
    ['2003:e5::1', 'DE'],
    ['2a02:1200::1', 'CH'],
    ['127.0.0.1', null],
    ['::1', null],
    ['::ffff:10.0.0.1', null],
    ['192.168.1.1', null],
    ['100.64.0.1', null],
    ['203.0.113.7', null],
    ['fd00::1', null],
    ['fe80::1', null],
    ['2002:5b00:1::1', null],
    ['240.0.0.1', null],
    ['an address', null],
    ['', null],
  ] as const)
    expect([ip, countryOfNetwork(ip)]).toEqual([ip, country])
})

const living = async (country: keyof typeof networks | undefined) => {
  const ip = country && networks[country]
  const customer = await signedInCustomer(test, ip ? { ip } : {})
  await addMoney(app, customer.user_id, 200_00n)
  return customer
}
const move = async ({ api }: Customer, country: string, zip = '8001') =>
  void bodyOf(
    await api.call(updateProfile, { body: { country, zip, city: 'A', name: 'Ada', address: 'B 1' } }),
    200,
  )
const offered = async ({ api }: Customer) => {
  const { items } = bodyOf(await api.call(listPlans, { query: {} }), 200)
  const { vat_rate, price_total } = items.find(({ slug }) => slug === 'standard-month') ?? items[0]!
  return { vat_rate, total: BigInt(price_total.amount) }
}
const buy = async (customer: Customer) => {
  const { total } = await offered(customer)
  return bodyOf(await orderHost(customer, { total }), 201)
}
const placeOf = async ({ api }: Customer) => bodyOf(await api.call(contract.getVatPlace, {}), 200)
const listed = async ({ user_id }: Customer) =>
  bodyOf(await billing.api.call(contract.listVatPlaces, { query: { limit: '100' } }), 200).items.find(
    ({ customer }) => customer.id === user_id,
  )
const evidenceOf = async ({ user_id }: Customer) => {
  const { rows } = await poolAt(app.ownerUrl).query<{ place: unknown; rate: string }>(
    `select s.evidence -> 'place' as place, i.vat_rate_bp as rate from invoices i
     join invoice_snapshots s on s.invoice_id = i.id where i.user_id = $1 order by i.id`,
    [user_id],
  )
  return rows
}

it('a consumer in Berlin who sets Switzerland, Luxembourg and Germany seconds apart pays the rate of Germany', async () => {
  const ada = await living('DE')
  for (const country of ['CH', 'LU', 'DE']) {
    await move(ada, country)
    expect(await offered(ada)).toEqual({ vat_rate: '19', total: 2368n })
    await buy(ada)
  }
  const common = { payments: [], network: 'DE', decision: null }
  expect(await evidenceOf(ada)).toEqual([
    { rate: '1900', place: { ...common, claimed: 'CH', charged: 'DE', basis: 'doubted' } },
    { rate: '1900', place: { ...common, claimed: 'LU', charged: 'DE', basis: 'doubted' } },
    { rate: '1900', place: { ...common, claimed: 'DE', charged: 'DE', basis: 'network' } },
  ])
  // The question of the first two sales is answered by the address of the third.
  expect(await placeOf(ada)).toMatchObject({ state: 'agreed', place: 'DE' })
  expect(await listed(ada)).toBeUndefined()
  await closeSettled(app)
  expect(await placeOf(ada)).toMatchObject({ asked_since: null })
})

it('a network or a card of the country is the second fact, and the rate stays when nobody is signed in', async () => {
  const swiss = await living('CH')
  await move(swiss, 'CH')
  expect(await offered(swiss)).toEqual({ vat_rate: '0', total: 1990n })
  await buy(swiss)
  await transaction(app, 'system', (tx) => endSessionsOf(tx, swiss.user_id))
  expect(await vatFor(app, app.db, swiss.user_id)).toMatchObject({ kind: 'outside_eu', rate_bp: 0n })
  const paying = await living(undefined)
  await move(paying, 'CH')
  expect((await offered(paying)).vat_rate).toBe('19')
  await payFrom(app, paying.user_id, 'CH')
  expect((await offered(paying)).vat_rate).toBe('0')
  // A friend's card does not outweigh one's own.
  await payFrom(app, paying.user_id, 'DE')
  expect((await offered(paying)).vat_rate).toBe('19')
})

it('a question that a sale opens is mailed once, in the customer’s language, and the next one anew', async () => {
  const ada = await living('DE')
  const mails = async () => {
    const { rows } = await poolAt(app.ownerUrl).query<{ locale: string }>(
      `select locale from mails where user_id = $1 and letter = 'place_question' order by created_at`,
      [ada.user_id],
    )
    return rows.map(({ locale }) => locale)
  }
  await move(ada, 'DE')
  await buy(ada)
  expect(await mails(), 'the address is doubted by nothing').toEqual([])
  await move(ada, 'CH')
  await placeOf(ada)
  expect(await mails(), 'nothing was sold').toEqual([])
  await Promise.all([buy(ada), buy(ada)])
  await move(ada, 'US')
  await buy(ada)
  expect(await mails()).toEqual(['en'])
  await move(ada, 'DE')
  await closeSettled(app)
  await transaction(app, 'system', (tx) =>
    sql`update users set locale = 'de' where id = ${ada.user_id}`.execute(tx),
  )
  await move(ada, 'CH')
  await buy(ada)
  expect(await mails()).toEqual(['en', 'de'])
  // An answer before the first sale opens the question, and its writer needs no mail about it.
  const eva = await living('DE')
  await move(eva, 'CH')
  bodyOf(await eva.api.call(contract.answerVatPlace, { body: { answer: 'In Zug' } }), 200)
  await buy(eva)
  const { rows } = await poolAt(app.ownerUrl).query(
    `select from mails where user_id = $1 and letter = 'place_question'`,
    [eva.user_id],
  )
  expect(rows).toEqual([])
})

it('asks the customer one question, keeps the answer, and staff decide with a second member', async () => {
  const ada = await living('DE')
  await payFrom(app, ada.user_id, 'DE')
  await move(ada, 'CH')
  expect(await placeOf(ada)).toMatchObject({
    state: 'asked',
    place: 'CH',
    payments: ['DE'],
    network: 'DE',
    charged: 'DE',
    vat_rate: '19',
  })
  await buy(ada)
  expect(await listed(ada)).toMatchObject({ state: 'asked', asked_since: expect.any(String), answer: '' })
  const answer = (text: string) => ada.api.call(contract.answerVatPlace, { body: { answer: text } })
  expect((await answer(' ')).body).toMatchObject(refusal(400, 'required', 'answer'))
  expect(bodyOf(await answer('Zug. My employer pays.'), 200)).toMatchObject({ state: 'answered' })
  expect(await listed(ada)).toMatchObject({ state: 'answered', answer: 'Zug. My employer pays.' })
  // An answer is a claim too.
  expect((await offered(ada)).vat_rate).toBe('19')
  const params = { userId: ada.user_id }
  const decide = (treatment: 'resident' | 'elsewhere' | 'automatic') =>
    billing.api.call(contract.overrideVat, { params, body: { treatment, reason: 'Residence permit' } })
  const status = async () => bodyOf(await billing.api.call(contract.getCustomerVatStatus, { params }), 200)
  bodyOf(await decide('elsewhere'), 200)
  expect(await placeOf(ada)).toMatchObject({ state: 'refused' })
  expect(await listed(ada)).toBeUndefined()
  expect(await status()).toMatchObject({ place: { state: 'refused' }, override: { in_force: true } })
  const asked = bodyOf(await decide('resident'), 202)
  expect((await offered(ada)).vat_rate).toBe('19')
  expect(asked.approval).toMatchObject({ why: 'always' })
  const said = { params: { id: asked.approval.id }, body: { decision: 'approve' } } as const
  bodyOf(await admin.api.call(decideApproval, said), 200)
  expect((await offered(ada)).vat_rate).toBe('0')
  expect(await status()).toMatchObject({ place: { state: 'agreed' }, override: { treatment: 'resident' } })
  expect((await answer('Nothing to answer')).body).toMatchObject(refusal(409, 'no_question'))
  // Nobody believed another address.
  await move(ada, 'US')
  expect((await offered(ada)).vat_rate).toBe('19')
  expect(await status()).toMatchObject({ override: { in_force: false } })
  expect((await ada.api.call(contract.listVatPlaces, { query: {} })).status).toBe(403)
})

it('B-14 an invoice that is issued again has the place of its sale, and a preview sees a typed postcode', async () => {
  const ada = await living('DE')
  await move(ada, 'DE')
  const sale = await sell(app, { user_id: ada.user_id, nets: [100_00n] })
  // The facts of later do not change what was known at the sale.
  await transaction(app, 'system', (tx) =>
    sql`update sessions set ip = ${networks.LU} where user_id = ${ada.user_id}`.execute(tx),
  )
  const params = { publicId: sale.public_id }
  const preview = async (query: { country: string; zip?: string }) =>
    bodyOf(
      await billing.api.call(contract.previewReissue, { params, query: { vat: 'decide', ...query } }),
      200,
    )
  expect(await preview({ country: 'LU' })).toMatchObject({ after: { vat_rate: '19' } })
  await payFrom(app, ada.user_id, 'CH')
  expect(await preview({ country: 'LU' })).toMatchObject({ after: { vat_rate: '19' } })
  await believePlace(test, ada.user_id, 'IC')
  expect(await preview({ country: 'ES', zip: '28001' })).toMatchObject({ refusal: 'total_would_rise' })
  expect(await preview({ country: 'ES', zip: '35001' })).toMatchObject({
    after: { vat_kind: 'outside_eu', vat_rate: '0' },
  })
})
