import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { updateProfile } from '#features/profile/contract.ts'
import { countryCodes } from '#features/profile/rules.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { issuedInvoice } from '#tests/harness/invoices.ts'
import { loadConfig } from '#app/server/config.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { confirmedAt } from '#tests/harness/vat-proof.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { dayIn, type Treatment } from '#features/invoices/rules.ts'
import { taxedAs } from './territories.ts'
import { isConsumerInTheEu } from './consumers.ts'
import { creditNote } from './invoices.ts'
import { decideVat, needsProof, vatFor, vatOfSale } from './vat.ts'
import type { VatProof } from './vat-evidence-queries.ts'
import { builtInRate, euCountries } from './vat-rates.ts'

const test = await startTestApp()
const { app } = test
const at = new Date('2026-11-21T12:00:00Z')
const german = { country: 'DE', vatRates: new Map<string, bigint>() }
const decide = (country: string, vat_id = '', company = german, when = at) => {
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
    const on = (country: string, day: string) => decide(country, '', german, new Date(`${day}T12:00:00Z`))[1]
    expect([on('EE', '2025-06-30'), on('EE', '2025-07-01')]).toEqual([2200n, 2400n])
    expect([on('SK', '2024-12-31'), on('SK', '2025-01-01')]).toEqual([2000n, 2300n])
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
    ['Gibraltar', 'GI', 'GX11 1AA'],
    ['the Isle of Man', 'IM', 'IM1 1AA'],
  ])('11-territories: %s is outside of the EU VAT area', (_, country, zip) => {
    for (const seller of ['DE', 'ES', 'IT']) expect(taxOf(country, zip, seller)).toBe('outside_eu 0')
  })

  it('11-territories: a VAT id of the country does not move a place into its VAT area', () => {
    expect(taxOf('ES', '35001', 'DE', '', 'ESX1234567X')).toBe('outside_eu 0')
    expect(needsProof({ country: 'DE' }, { country: 'ES', zip: '35001', vat_id: 'ESX1234567X' })).toBe(false)
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
    ['no postcode', 'ES', '', 'oss 2100'],
  ])('%s has VAT of the EU', (_, country, zip, decision) => {
    expect(taxOf(country, zip)).toBe(decision)
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
    const decided = await vatFor(app, app.db, user_id)
    expect(decided).toMatchObject({ kind: 'outside_eu', rate_bp: 0n, country: 'ES' })
    expect(isConsumerInTheEu(decided)).toBe(true)
  })
})

describe('rule 62: a small business', () => {
  const small = { ...german, isSmallBusiness: true }

  it('charges no VAT at home and to consumers elsewhere in the EU; the rules of other places stay', () => {
    expect(decide('DE', '', small)).toEqual(['small_business', 0n, 'DE'])
    expect(decide('', '', small)).toEqual(['small_business', 0n, 'DE'])
    expect(decide('DE', 'DE123456789', small)).toEqual(['small_business', 0n, 'DE'])
    expect(decide('FR', '', small)).toEqual(['small_business', 0n, 'DE'])
    expect(decide('FR', 'FRXX123456789', small)).toEqual(['reverse_charge', 0n, 'FR'])
    expect(decide('US', '', small)).toEqual(['outside_eu', 0n, 'US'])
    const french = { ...small, country: 'FR' }
    expect(decide('RE', '', french)).toEqual(['small_business', 0n, 'FR'])
    expect(decide('YT', '', french)).toEqual(['outside_eu', 0n, 'YT'])
  })

  it('sells to consumers as such: with a VAT id at home the customer is none', () => {
    const isConsumer = (country: string, vat_id = '') =>
      isConsumerInTheEu(decideVat(small, { country, vat_id }, at))
    expect([isConsumer('DE'), isConsumer('FR'), isConsumer('DE', 'DE123456789')]).toEqual([true, true, false])
  })

  it('is one for the days that the setting names, by the day of the sale; what was issued before keeps its VAT', async () => {
    const { user_id } = await signedInCustomer(test)
    const today = dayIn(at, app.config.timeZone)
    const withTimes = async <Result>(times: string, work: () => Promise<Result>): Promise<Result> => {
      const { company } = loadConfig({ SMALL_BUSINESS: times, DATA_DIR: app.config.dataDir })
      const before = app.config.company.smallBusiness
      Object.assign(app.config.company, { smallBusiness: company.smallBusiness })
      return work().finally(() => Object.assign(app.config.company, { smallBusiness: before }))
    }
    const sold_at = at
    const kindOf = async () =>
      (await vatOfSale(app, app.db, { user_id, country: 'DE', vat_id: '', sold_at })).kind
    const dayBefore = new Date(at.getTime() - 86_400_000).toISOString().slice(0, 10)
    expect(await withTimes(`${today}..`, kindOf)).toBe('small_business')
    expect(await withTimes(`2020-01-01..${today}`, kindOf)).toBe('small_business')
    expect(await withTimes(`2020-01-01..${dayBefore}`, kindOf)).toBe('standard')
    expect(await withTimes('2999-01-01..', kindOf)).toBe('standard')
    const exempt = await withTimes('2020-01-01..', () => issuedInvoice(app, user_id))
    expect(exempt).toMatchObject({ vat_kind: 'small_business', net: 1_990n, vat: 0n, total: 1_990n })
    expect(exempt.notes[0]).toMatchObject({ code: 'small_business', params: { law: '§ 19 UStG' } })
    // The standing has ended: what is given back of that invoice has no VAT either.
    const note = await transaction(app, { userId: user_id }, async (tx) => {
      const paid = { user_id, transaction_id: exempt.transaction_id }
      const prepared = must(
        await creditNote(app, tx, { ...paid, amount: 990n, refund_transaction_id: randomUUID() }),
      )
      return prepared.issue()
    })
    expect(note).toMatchObject({ vat_kind: 'small_business', net: 990n, vat: 0n })
    expect(note.notes).toContainEqual(exempt.notes[0])
    expect(await issuedInvoice(app, user_id)).toMatchObject({ vat_kind: 'standard', vat: 378n })
  })

  it('a start refuses what no law knows, and warns of a seller without a VAT id', () => {
    const load = (settings: object) =>
      loadConfig({ COMPANY_NAME: 'A', DATA_DIR: app.config.dataDir, ...settings })
    const swiss = { COMPANY_COUNTRY: 'CH', VAT_RATES: 'CH=8.1' }
    expect(() => load({ ...swiss, SMALL_BUSINESS: '2026-01-01..' })).toThrow('SMALL_BUSINESS is known for')
    for (const SMALL_BUSINESS of [
      'yes',
      '2026-01-01',
      '2026-02-30..',
      '2026-02-01..2026-01-01',
      '2025-01-01..,2026-01-01..',
      '2025-01-01..2025-06-30,2025-06-30..',
    ])
      expect(() => load({ SMALL_BUSINESS }), SMALL_BUSINESS).toThrow('SMALL_BUSINESS is no list of times')
    const { company } = load({ SMALL_BUSINESS: '2024-01-01..2025-06-30, 2026-01-01..' })
    expect(company.smallBusiness).toEqual([
      { from: '2024-01-01', until: '2025-06-30' },
      { from: '2026-01-01', until: undefined },
    ])
    const line = expect.stringContaining('COMPANY_VAT_ID is missing')
    expect(load({}).warnings).toContainEqual(line)
    expect(load({ COMPANY_VAT_ID: 'DE123456789' }).warnings).not.toContainEqual(line)
    expect(load(swiss).warnings).not.toContainEqual(line)
  })
})

describe('F-02 a VAT id counts once it is verified', () => {
  const business = { country: 'AT', vat_id: 'ATU12345678' }
  const kindOf = (proof: VatProof, customer = business) => decideVat(german, customer, at, proof).kind
  const daysAgo = (days: number) => new Date(at.getTime() - days * 86_400_000)
  const override = (treatment: Treatment, vat_id: string, valid_until: Date | null = null) => ({
    check: null,
    override: { id: 'f3b1', treatment, vat_id, valid_until },
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
