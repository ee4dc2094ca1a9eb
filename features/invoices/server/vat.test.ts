import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { updateProfile } from '#features/profile/contract.ts'
import { countryCodes } from '#features/profile/rules.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { creditNote, issuedInvoice } from '#tests/harness/invoices.ts'
import { loadConfig } from '#app/server/config.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { believePlace, confirmedAt } from '#tests/harness/vat-proof.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import type { Treatment } from '#features/invoices/rules.ts'
import { taxedAs, vatPlaceOf } from './territories.ts'
import { isConsumerInTheEu } from './consumers.ts'
import { sellerLimits, tellOfLimits } from './seller-limits.ts'
import { leftIn, thresholdIn } from './threshold.ts'
import { vatFor, vatOfSale } from './vat-of-customer.ts'
import { decideVat, needsProof } from './vat.ts'
import { vatOver } from './vat-decision.ts'
import type { VatProof } from './vat-evidence-queries.ts'
import { builtInRate, euCountries } from './vat-rates.ts'

const test = await startTestApp()
const { app } = test
const at = new Date('2026-11-21T12:00:00Z')
const german = { country: 'DE', vatRates: new Map<string, bigint>() }
const decide = (
  country: string,
  vat_id = '',
  company: Parameters<typeof decideVat>[0] = german,
  when = at,
) => {
  const proof = confirmedAt(when)
  const { kind, rate_bp, country: taxed } = decideVat(company, { country, vat_id }, when, proof)
  return [kind, rate_bp, taxed]
}

// A VAT id of the right form for each member state.
const vatIds: Record<string, string> = {
  AT: 'ATU12345678',
  BE: 'BE0123456789',
  BG: 'BG123456789',
  CY: 'CY12345678X',
  CZ: 'CZ12345678',
  DE: 'DE123456789',
  DK: 'DK12345678',
  EE: 'EE123456789',
  ES: 'ESX1234567X',
  FI: 'FI12345678',
  FR: 'FRXX123456789',
  GR: 'EL123456789',
  HR: 'HR12345678901',
  HU: 'HU12345678',
  IE: 'IE1234567WA',
  IT: 'IT12345678901',
  LT: 'LT123456789',
  LU: 'LU12345678',
  LV: 'LV12345678901',
  MT: 'MT12345678',
  NL: 'NL123456789B01',
  PL: 'PL1234567890',
  PT: 'PT123456789',
  RO: 'RO12',
  SE: 'SE123456789012',
  SI: 'SI12345678',
  SK: 'SK1234567890',
}
const percents =
  'AT 20 BE 21 BG 20 CY 19 CZ 21 DE 19 DK 25 EE 24 ES 21 FI 25.5 FR 20 GR 24 HR 25 HU 27 IE 23 IT 22 LT 21 LU 17 ' +
  'LV 21 MT 18 NL 21 PL 23 PT 23 RO 21 SE 25 SI 22 SK 23'

describe('F-02 which VAT a customer pays', () => {
  it.each(must(percents.match(/[A-Z]{2} [\d.]+/g)).map((entry) => entry.split(' ') as [string, string]))(
    'of %s: %s %% for a consumer, none for a business elsewhere in the EU',
    (country, percent) => {
      const rate_bp = BigInt(Math.round(Number(percent) * 100))
      expect(decide(country)).toEqual([country === 'DE' ? 'standard' : 'oss', rate_bp, country])
      expect(decide(country, vatIds[country])).toEqual(
        country === 'DE' ? ['standard', 1900n, 'DE'] : ['reverse_charge', 0n, country],
      )
    },
  )

  it('of 27 member states, no more and no fewer, each known to the settings', () => {
    expect(euCountries).toEqual(Object.keys(vatIds))
    for (const COMPANY_COUNTRY of euCountries)
      expect(loadConfig({ COMPANY_COUNTRY, DATA_DIR: app.config.dataDir }).company.country).toBe(
        COMPANY_COUNTRY,
      )
  })

  it('other countries have no rate', () => {
    const others = countryCodes.filter((code) => !euCountries.includes(code) && code !== 'MC')
    expect(others).toHaveLength(249 - 28)
    for (const country of others) expect(decide(country)).toEqual(['outside_eu', 0n, taxedAs(country)])
    expect(decide('CH', 'CHE123456789MWST')).toEqual(['outside_eu', 0n, 'CH'])
    expect(decide('GB', 'GB123456789')).toEqual(['outside_eu', 0n, 'GB'])
  })

  it.each([
    ['nowhere we know of: at home', '', '', ['standard', 1900n, 'DE']],
    ['nowhere, whatever the VAT id says', '', 'FRXX123456789', ['standard', 1900n, 'DE']],
    ['at home, with a VAT id from abroad', 'DE', 'FRXX123456789', ['standard', 1900n, 'DE']],
    ["abroad, with the seller's country's VAT id", 'FR', 'DE123456789', ['oss', 2000n, 'FR']],
    ['abroad, with a VAT id of a third country', 'FR', 'ATU12345678', ['oss', 2000n, 'FR']],
    ['abroad, with a VAT id that has no such form', 'FR', 'FR1', ['oss', 2000n, 'FR']],
    ['in Greece, whose VAT ids begin with EL', 'GR', 'EL123456789', ['reverse_charge', 0n, 'GR']],
    ['in Monaco, which is France to VAT', 'MC', '', ['oss', 2000n, 'FR']],
    ['in Monaco with a French VAT id', 'MC', 'FRXX123456789', ['reverse_charge', 0n, 'FR']],
    ['on Réunion, which is outside of the VAT area', 'RE', '', ['outside_eu', 0n, 'RE']],
    [
      'in Northern Ireland: services are taxed as in the rest of the kingdom',
      'GB',
      'XI123456789',
      ['outside_eu', 0n, 'GB'],
    ],
  ])('%s', (_, country, vat_id, decision) => {
    expect(decide(country, vat_id)).toEqual(decision)
  })

  it('takes the rate of the day', () => {
    const on = (to: string, at: string, zone = {}) => decide(to, '', { ...german, ...zone }, new Date(at))[1]
    expect([on('EE', '2025-06-30'), on('EE', '2025-07-01')]).toEqual([2200n, 2400n])
    expect([on('SK', '2024-12-31'), on('SK', '2025-01-01')]).toEqual([2000n, 2300n])
    expect(on('EE', '2025-06-30T22:30Z', { timeZone: 'Europe/Berlin' })).toBe(2400n)
    expect(builtInRate('DE', '1999-01-01')).toEqual({ rate_bp: 1900n, from: '2021-01-01' })
  })

  it("puts the operator's own rates first, and sells from outside of the EU too", () => {
    const swiss = { country: 'CH', vatRates: new Map([['CH', 810n]]) }
    expect(decide('', '', swiss)).toEqual(['standard', 810n, 'CH'])
    expect(decide('CH', 'CHE123456789', swiss)).toEqual(['standard', 810n, 'CH'])
    expect(decide('DE', '', swiss)).toEqual(['oss', 1900n, 'DE'])
    expect(decide('DE', 'DE123456789', swiss)).toEqual(['reverse_charge', 0n, 'DE'])
    expect(decide('US', '', swiss)).toEqual(['outside_eu', 0n, 'US'])
    const ahead = { country: 'DE', vatRates: new Map([['FR', 2100n]]) }
    expect(decideVat(ahead, { country: 'FR', vat_id: '' }, at)).toMatchObject({
      rate_bp: 2100n,
      evidence: { rate_source: 'setting', rate_from: '' },
    })
  })

  it('reads the current profile, in a transaction too, and stores the evidence', async () => {
    const { api, user_id } = await signedInCustomer(test)
    expect(await vatFor(app, app.db, user_id)).toMatchObject({ kind: 'standard', rate_bp: 1900n })
    await api.call(updateProfile, { body: { country: 'AT' } })
    expect(await vatFor(app, app.db, user_id)).toMatchObject({ kind: 'oss', rate_bp: 2000n, country: 'AT' })
    await api.call(updateProfile, { body: { vat_id: 'atu 12345678' } })
    const { evidence, ...decision } = await vatFor(app, app.db, user_id)
    expect(decision).toEqual({ kind: 'oss', rate_bp: 2000n, country: 'AT' })
    expect(evidence).toEqual({
      decided_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      customer_country: 'AT',
      vat_id: 'ATU12345678',
      vat_id_check: 'form_right',
      answer: null,
      override: null,
      seller_country: 'DE',
      rate_source: 'built_in',
      rate_from: '1984-01-01',
      place: { claimed: 'AT', charged: 'AT', basis: 'address', payments: [], network: null, decision: null },
    })
  })
})

describe('rule 54: VAT by country and postcode', () => {
  const taxOf = (country: string, zip: string, seller = 'DE', city = '', vat_id = '') => {
    const company = { country: seller, vatRates: new Map<string, bigint>() }
    const { kind, rate_bp } = decideVat(company, { country, zip, city, vat_id }, at, confirmedAt(at))
    return `${kind} ${rate_bp}`
  }

  it.each([
    ['Las Palmas de Gran Canaria', 'ES', '35001'],
    ['Santa Cruz de Tenerife', 'ES', '38001'],
    ['Melilla', 'ES', '52001'],
    ['Ceuta', 'ES', 'E-51001'],
    ['Las Palmas as other people write it', 'ES', 'ES-35001'],
    ['Las Palmas with blanks', 'ES', ' 35 001 '],
    ['Livigno', 'IT', 'I-23041'],
    ['Campione', 'IT', '22061'],
    ['San Marino', 'IT', '47890'],
    ['the Vatican', 'IT', '00120'],
    ['B\u00FCsingen', 'DE', 'D-78266'],
    ['Helgoland', 'DE', '27498'],
    ['Mount Athos', 'GR', '630 86'],
    ['\u00C5land', 'FI', 'FI-22100'],
    ['\u00C5land by its own code', 'AX', '22100'],
    ['Guadeloupe', 'FR', '97100'],
    ['R\u00E9union', 'FR', 'F-97400'],
    ['R\u00E9union by its own code', 'RE', '97400'],
    ['Mayotte', 'FR', '97600'],
    ['New Caledonia', 'FR', '98800'],
    ['Greenland', 'DK', '3900'],
    ['the Faroe Islands', 'DK', '100'],
    ['the north of Cyprus', 'CY', '99010'],
    ['Jersey', 'GB', 'JE2 3AB'],
    ['the Canaries by their own code', 'IC', '35001'],
    ['Ceuta by its own code', 'EA', ''],
    ['Gibraltar', 'GI', 'GX11 1AA'],
    ['the Isle of Man', 'IM', 'IM1 1AA'],
  ])('11-territories: %s is outside of the EU VAT area', (_, country, zip) => {
    for (const seller of ['DE', 'ES', 'IT']) expect(taxOf(country, zip, seller)).toBe('outside_eu 0')
  })

  it.each(['IC', 'EA'])('11-territories: %s as a country is a territory of Spain', (code) => {
    expect(vatPlaceOf({ country: code })).toEqual({ country: 'ES', code, outside: true, rates: undefined })
  })

  it('11-territories: a VAT id of the country does not move a place into its VAT area', () => {
    expect(taxOf('ES', '35001', 'DE', '', 'ESX1234567X')).toBe('outside_eu 0')
    expect(
      needsProof({ country: 'DE' }, { country: 'ES', zip: '35001', city: '', vat_id: 'ESX1234567X' }),
    ).toBe(false)
    expect(taxOf('ES', '28001', 'DE', '', 'ESX1234567X')).toBe('reverse_charge 0')
  })

  it.each([
    ['Madrid', 'ES', '28001', 'oss 2100'],
    ['the Balearics', 'ES', '07001', 'oss 2100'],
    ['Sondrio', 'IT', '23100', 'oss 2200'],
    ['Corsica', 'FR', '20000', 'oss 2000'],
    ['Monaco with a French address', 'FR', '98000', 'oss 2000'],
    ['Helsinki', 'FI', '00100', 'oss 2550'],
    ['Copenhagen', 'DK', '1050', 'oss 2500'],
    ['Nicosia', 'CY', '1010', 'oss 1900'],
    ['Madeira', 'PT', '9000-001', 'oss 2200'],
    ['the Azores', 'PT', 'PT-9500-150', 'oss 1600'],
    ['Jungholz', 'AT', 'A-6691', 'oss 1900'],
    ['Mittelberg', 'AT', '6993', 'oss 1900'],
    ['Mittelberg by its German postcode', 'DE', 'D-87569', 'oss 1900'],
    ['Jungholz by its German postcode', 'DE', '87491', 'oss 1900'],
    ['Kempten beside them', 'DE', '87435', 'standard 1900'],
    ['the base of Akrotiri', 'GB', 'BFPO 57', 'oss 1900'],
    ['the base of Dhekelia', 'GB', 'BF1 2AU', 'oss 1900'],
    ['another base of the British Forces', 'GB', 'BFPO 2', 'outside_eu 0'],
    ['no postcode', 'ES', '', 'oss 2100'],
  ])('%s has VAT of the EU', (_, country, zip, decision) => {
    expect(taxOf(country, zip)).toBe(decision)
  })

  it('the Austrian rate of Jungholz holds for a seller of any country, and a rate of one’s own for a territory', () => {
    expect([taxOf('DE', '87491', 'AT'), taxOf('AT', '6691', 'AT')]).toEqual([
      'standard 1900',
      'standard 1900',
    ])
    const { company } = loadConfig({ DATA_DIR: app.config.dataDir, VAT_RATES: 'PT=24,PT-30=21,PT-20=15.5' })
    const rateOf = (zip: string) => decideVat(company, { country: 'PT', zip, vat_id: '' }, at).rate_bp
    expect([rateOf('1000'), rateOf('9000'), rateOf('9500')]).toEqual([2400n, 2100n, 1550n])
    const unknown = () => loadConfig({ DATA_DIR: app.config.dataDir, VAT_RATES: 'PT-99=21' })
    expect(unknown).toThrow('VAT_RATES is no list of rates')
  })

  it('the profile takes the codes that others write for countries', async () => {
    const { api } = await signedInCustomer(test)
    for (const [given, stored] of Object.entries({ IC: 'ES', EA: 'ES', EL: 'GR', UK: 'GB', XI: 'GB' }))
      expect((await api.call(updateProfile, { body: { country: given } })).body).toMatchObject({
        country: stored,
      })
    expect((await api.call(updateProfile, { body: { country: 'ZZ' } })).status).toBe(400)
  })

  it('knows a place by its city where the postcode is shared', () => {
    expect(taxOf('IT', '23030', 'DE', 'Livigno')).toBe('outside_eu 0')
    expect(taxOf('IT', '23030', 'DE', 'Valdisotto')).toBe('oss 2200')
    expect(taxOf('IT', '22060', 'DE', "Campione d'Italia")).toBe('outside_eu 0')
    expect(taxOf('IT', '22060', 'DE', 'Arosio')).toBe('oss 2200')
  })

  it('a seller in France charges the rates of its departments overseas, and none where there is none', () => {
    expect([taxOf('FR', '97400', 'FR'), taxOf('RE', '', 'FR'), taxOf('FR', '97110', 'FR')]).toEqual(
      Array.from({ length: 3 }, () => 'standard 850'),
    )
    expect([taxOf('FR', '97300', 'FR'), taxOf('YT', '', 'FR')]).toEqual(['outside_eu 0', 'outside_eu 0'])
  })

  it('rule 62: a start refuses a seller in a territory whose tax is not known, and a country that is none', () => {
    const refused = (settings: object) => () =>
      loadConfig({ COMPANY_NAME: 'A', DATA_DIR: app.config.dataDir, ...settings })
    expect(refused({ COMPANY_COUNTRY: 'ES', COMPANY_ZIP: '35001' })).toThrow('COMPANY_ZIP lies in IC')
    expect(refused({ COMPANY_COUNTRY: 'ZZ', VAT_RATES: 'ZZ=10' })).toThrow('COMPANY_COUNTRY is no country')
    expect(refused({ COMPANY_COUNTRY: 'LI', VAT_RATES: 'LI=8.1' })).not.toThrow()
    const liechtenstein = { country: 'LI', vatRates: new Map([['LI', 810n]]) }
    expect(decide('CH', '', liechtenstein)).toEqual(['standard', 810n, 'CH'])
  })

  it('11-territories: the postcode of the profile decides', async () => {
    const { api, user_id } = await signedInCustomer(test)
    await api.call(updateProfile, {
      body: { country: 'ES', zip: '35001', city: 'Las Palmas de Gran Canaria' },
    })
    await believePlace(test, user_id, 'IC')
    const decided = await vatFor(app, app.db, user_id)
    expect(decided).toMatchObject({ kind: 'outside_eu', rate_bp: 0n, country: 'ES' })
    expect(isConsumerInTheEu(decided)).toBe(true)
  })
})

describe('rule 62: the threshold of 10,000 euros for consumers elsewhere in the EU', () => {
  const company = (settings: object) => loadConfig({ DATA_DIR: app.config.dataDir, ...settings }).company

  it('taxes nobody at home unless the seller says so, and then consumers elsewhere in the EU alone', () => {
    expect(company({}).usesThreshold).toBe(false)
    expect(company({ VAT_EU_CONSUMERS: 'threshold' }).usesThreshold).toBe(true)
    const home = { ...german, taxesConsumersAtHome: true }
    expect(decideVat(home, { country: 'FR', vat_id: '' }, at)).toMatchObject({
      kind: 'standard',
      rate_bp: 1900n,
      country: 'DE',
      below_threshold: true,
      evidence: { customer_country: 'FR', rate_source: 'built_in', rate_from: '2021-01-01' },
    })
    expect(decide('PT', '', { ...home, country: 'AT' })).toEqual(['standard', 2000n, 'AT'])
    expect(decide('FR', 'FRXX123456789', home)).toEqual(['reverse_charge', 0n, 'FR'])
    expect(decide('US', '', home)).toEqual(['outside_eu', 0n, 'US'])
    // A VAT id that nobody has confirmed makes no business: the customer keeps the rights of a consumer.
    const unconfirmed = decideVat(home, { country: 'FR', vat_id: 'FRXX123456789' }, at)
    expect([unconfirmed.kind, isConsumerInTheEu(unconfirmed)]).toEqual(['standard', true])
  })

  it('passes with the sums of this year or of the year before', () => {
    const sums = { before: 0n, present: 0n, has_passed: false }
    const limit = 1_000_000n
    expect(['EUR', 'HUF', 'USD'].map(thresholdIn)).toEqual([limit, 310_000_000n, undefined])
    expect(leftIn(limit, sums)).toBe(limit)
    expect(leftIn(limit, { ...sums, before: limit, present: limit })).toBe(0n)
    expect(leftIn(limit, { ...sums, before: limit + 1n })).toBe(-1n)
    expect(leftIn(limit, { ...sums, present: limit + 1n })).toBe(-1n)
    expect(leftIn(limit, { ...sums, has_passed: true })).toBe(-1n)
  })

  it('from the sale on that passes it the VAT of the country is due; staff are told at 80 %, once', async () => {
    const { api, user_id } = await signedInCustomer(test)
    await api.call(updateProfile, { body: { country: 'FR' } })
    const { user_id: other } = await signedInCustomer(test)
    const boss = await signedInStaff(test, { roles: ['owner'] })
    const sell = (net: bigint, issued_at?: Date) =>
      issuedInvoice(app, user_id, { nets: [net], ...(issued_at ? { issued_at } : {}) })
    const told = async () => {
      await tellOfLimits(app)
      const { rows } = await app.pool.query('select from mails where user_id = $1 and letter = $2', [
        boss.user_id,
        'limit_reached',
      ])
      return rows.length
    }
    Object.assign(app.config.company, { usesThreshold: true })
    try {
      const lastYear = await sell(50_000n, new Date(Date.now() - 366 * 86_400_000))
      expect(lastYear).toMatchObject({ vat_kind: 'standard', vat_country: 'DE', below_threshold: true })
      expect(await issuedInvoice(app, other, { nets: [5_000_000n] })).toMatchObject({
        below_threshold: false,
      })
      const early = await sell(790_000n)
      expect(early).toMatchObject({ vat_kind: 'standard', vat_country: 'DE', vat_rate_bp: 1900n })
      expect([await told(), (await sellerLimits(app, app.db))[0]]).toMatchObject([0, { sum: 790_000n }])
      await sell(10_000n)
      expect([await told(), await told()]).toEqual([1, 1])
      expect(await sellerLimits(app, app.db)).toEqual([
        { name: 'eu_consumers', sum: 800_000n, limit: 1_000_000n, state: 'near' },
      ])
      const credited = (transaction_id: string, amount: bigint) =>
        transaction(app, { userId: user_id }, async (tx) => {
          const refund = { user_id, transaction_id, amount, refund_transaction_id: randomUUID() }
          return must(await creditNote(app, tx, refund)).issue()
        })
      // A refund makes room again, as long as the threshold has not been passed.
      const { net, below_threshold } = await credited(early.transaction_id, 119_000n)
      expect([net, below_threshold]).toEqual([100_000n, true])
      const offered = await vatFor(app, app.db, user_id)
      expect(offered.above?.left).toBe(300_000n)
      expect(vatOver(offered, 300_000n)).toMatchObject({ kind: 'standard', country: 'DE' })
      expect(vatOver(offered, 300_001n)).toMatchObject({ kind: 'oss', country: 'FR', rate_bp: 2000n })
      // Two sales at once that fit one by one: the second is decided anew.
      const both = await Promise.all([sell(200_000n), sell(200_000n)])
      expect(both.map(({ vat_kind }) => vat_kind).toSorted()).toEqual(['oss', 'standard'])
      // A part that is given back has the rate of its sale.
      const { transaction_id } = must(both.find(({ vat_kind }) => vat_kind === 'oss'))
      expect((await credited(transaction_id, 120_000n)).net).toBe(100_000n)
      expect(await vatFor(app, app.db, user_id)).toMatchObject({ kind: 'oss', country: 'FR' })
      expect((await sellerLimits(app, app.db))[0]?.state).toBe('passed')
      expect(await told()).toBe(2)
      // A sale from before is judged by what was sold before it.
      const buyer = { country: 'FR', zip: '', city: '', vat_id: '' }
      const sale = { user_id, ...buyer, sold_at: early.issued_at, evidence: {} }
      expect((await vatOfSale(app, app.db, sale)).kind).toBe('standard')
      // A refund brings nobody back below, not even of all that was sold since.
      expect((await sell(1n)).vat_kind).toBe('oss')
    } finally {
      Object.assign(app.config.company, { usesThreshold: false })
    }
  })

  it('a small business has its own limits, and a start refuses settings that contradict each other', async () => {
    Object.assign(app.config.company, { smallBusiness: [{ from: '2020-01-01', until: undefined }] })
    try {
      expect((await sellerLimits(app, app.db)).map(({ name, limit }) => [name, limit])).toEqual([
        ['eu_consumers', 1_000_000n],
        ['small_business', 10_000_000n],
        ['small_business_next_year', 2_500_000n],
      ])
    } finally {
      Object.assign(app.config.company, { smallBusiness: [] })
    }
    expect(await sellerLimits(app, app.db)).toEqual([])
    const start = (settings: object) => () => company({ COMPANY_NAME: 'A', ...settings })
    expect(start({ VAT_EU_CONSUMERS: 'there', SMALL_BUSINESS: '2026-01-01..' })).toThrow('contradict')
    expect(start({ VAT_EU_CONSUMERS: 'there', SMALL_BUSINESS: '2024-01-01..2024-12-31' })).not.toThrow()
    expect(start({ VAT_EU_CONSUMERS: 'there' })).not.toThrow()
    const swiss = { COMPANY_COUNTRY: 'CH', VAT_RATES: 'CH=8.1' }
    expect(start({ ...swiss, VAT_EU_CONSUMERS: 'threshold' })).toThrow('is for sellers in the EU')
    expect(start({ VAT_EU_CONSUMERS: 'threshold', CURRENCY: 'USD' })).toThrow('no amount in USD')
  })
})

describe('F-02 a VAT id counts once it is verified', () => {
  const business = { country: 'AT', vat_id: 'ATU12345678' }
  const kindOf = (proof: VatProof, customer = business) => decideVat(german, customer, at, proof).kind
  const daysAgo = (days: number) => new Date(at.getTime() - days * 86_400_000)
  const override = (treatment: Treatment, vat_id: string, valid_until: Date | null = null) => ({
    check: null,
    override: { id: 'f3b1', treatment, vat_id, place: '', valid_until },
  })

  it('for 90 days after a check finds it valid, and not without a check or after an invalid one', () => {
    expect(kindOf({ check: null, override: null })).toBe('oss')
    expect(kindOf(confirmedAt(daysAgo(90)))).toBe('reverse_charge')
    expect(kindOf(confirmedAt(new Date(daysAgo(90).getTime() - 1)))).toBe('oss')
    const { check } = confirmedAt(at)
    expect(kindOf({ check: { ...must(check), verdict: 'invalid' }, override: null })).toBe('oss')
    expect(decideVat(german, business, at, confirmedAt(daysAgo(1))).evidence).toMatchObject({
      answer: { verdict: 'valid', consultation_number: 'WAPIAAAAXYZ', requester: 'DE123456789' },
    })
  })

  it('or while staff vouch for this very id; a consumer by their decision stays one with any id', () => {
    expect(kindOf(override('business', 'ATU12345678'))).toBe('reverse_charge')
    expect(kindOf(override('business', 'ATU87654321'))).toBe('oss')
    expect(kindOf(override('business', 'ATU12345678', daysAgo(1)))).toBe('oss')
    expect(kindOf({ ...confirmedAt(at), override: override('consumer', '').override })).toBe('oss')
    expect(kindOf({ ...confirmedAt(at), override: override('automatic', '').override })).toBe(
      'reverse_charge',
    )
    // At home and outside of the EU there is nothing to decide.
    expect(kindOf(override('business', 'DE123456789'), { country: 'DE', vat_id: 'DE123456789' })).toBe(
      'standard',
    )
    expect(kindOf(override('consumer', ''), { country: 'CH', vat_id: '' })).toBe('outside_eu')
  })
})
