import { describe, expect, it, vi } from 'vitest'
import { documentSet } from '#tests/documents/set.ts'
import { faultsInCii, faultsInXrechnung } from '#tests/documents/validate.ts'
import { must } from '#foundation/must.ts'
import { sampleInput, sampleKinds, type Sample } from '#tests/harness/billing-documents.ts'
import { makeDocuments, xmlOf } from './make.ts'

vi.setConfig({ testTimeout: 120_000 })

const notes = [
  { code: 'paid', params: {} },
  { code: 'text', params: { text: 'Two' } },
] as const

// Every hundredth document of the set; `npm run test:documents` takes the whole set, and checks PDF/A too.
const sample = [...documentSet({ every: 100 })]

it.each(sample)('F-02 is valid by the published rules: $name', async ({ paper }) => {
  expect(await faultsInCii(xmlOf(paper, 'CII'))).toEqual([])
  if (paper.invoice.formats.includes('xrechnung'))
    expect(await faultsInXrechnung(xmlOf(paper, 'XRECHNUNG-UBL'))).toEqual([])
})

it('the sample documents cover each kind of VAT and of document, 0, 1, 2 and 4 notes, and each script', () => {
  const words = new Set(sample.flatMap(({ name }) => name.split(' ')))
  for (const word of [
    'standard',
    'oss',
    'reverse_charge',
    'outside_eu',
    'small_business',
    '0-notes',
    '1-notes',
    '2-notes',
    '4-notes',
  ])
    expect(words, word).toContain(word)
  for (const word of [
    'invoice',
    'credit_note',
    'reissue',
    'cjk',
    'arabic',
    'hebrew',
    'emoji',
    'long',
    'mailbox',
  ])
    expect(words, word).toContain(word)
})

describe('F-02 the rules find', () => {
  it('two notes in one element', async () => {
    const xml = xmlOf(sampleInput({ notes: [...notes] }), 'CII')
    // Puts both notes into one element, as an earlier version of the program did.
    const joined = xml.replaceAll(/<\/ram:IncludedNote>\s*<ram:IncludedNote>/g, '')
    expect(joined).not.toBe(xml)
    expect(await faultsInCii(joined)).not.toEqual([])
  })

  it('an XRechnung without a telephone number, and one without a rate outside of the EU', async () => {
    const silent = sampleInput({ from: { phone: '' } })
    expect(silent.invoice.formats).toEqual(['pdf'])
    expect(String(await faultsInXrechnung(xmlOf(silent, 'XRECHNUNG-UBL')))).toContain('BR-DE-6')
    expect((await makeDocuments(silent)).xrechnung).toBeUndefined()
    const far = xmlOf(
      sampleInput({ vat_kind: 'outside_eu', rate_bp: 0n, to: { country: 'CH' } }),
      'XRECHNUNG-UBL',
    )
    const rateless = far.replace('<cbc:Percent>0</cbc:Percent>', '')
    expect(rateless).not.toBe(far)
    expect(String(await faultsInXrechnung(rateless))).toContain('BR-DE-14')
  })
})

it('rule 62: E without VAT, with the reason by the law of the seller, in its words and in those of the document', async () => {
  const said = async (sample: Sample) => {
    const xml = xmlOf(sampleInput({ vat_kind: 'small_business', rate_bp: 0n, ...sample }), 'CII')
    const all = (name: string) =>
      [...xml.matchAll(new RegExp(`<ram:${name}(?: [^>]*)?>([^<]*)<`, 'g'))].map(([, text]) => text)
    expect(new Set(all('CategoryCode'))).toEqual(new Set(['E']))
    expect(new Set(all('RateApplicablePercent'))).toEqual(new Set(['0']))
    expect(all('CalculatedAmount')).toEqual(['0.00'])
    return { reason: all('ExemptionReason').join(), codes: all('ExemptionReasonCode') }
  }
  const german = 'Gemäß § 19 UStG wird keine Umsatzsteuer berechnet (Steuerbefreiung für Kleinunternehmer).'
  // The code list VATEX has no code for the article on small enterprises.
  expect(await said({ locale: 'de' })).toEqual({ reason: german, codes: [] })
  const english = 'No VAT is charged: exemption for small businesses (§ 19 UStG).'
  expect(await said({ locale: 'en' })).toEqual({ reason: `${german} ${english}`, codes: [] })
  expect(await said({ from: { country: 'FR' } })).toEqual({
    reason:
      'TVA non applicable, art. 293 B du CGI. No VAT is charged: exemption for small businesses (art. 293 B CGI).',
    codes: ['VATEX-FR-FRANCHISE'],
  })
  expect((await said({ from: { country: 'IT' } })).reason).toContain('Art. 284, 2006/112/EC')
})

it('rule 62: states the VAT in the currency of the state a second time (BT-6, BT-111), and says by which rate', () => {
  const paper = sampleInput(must(sampleKinds['in another currency than that of the state']))
  const [cii, ubl] = [xmlOf(paper, 'CII'), xmlOf(paper, 'XRECHNUNG-UBL')]
  expect(cii).toContain('<ram:TaxCurrencyCode>EUR</ram:TaxCurrencyCode>')
  expect(cii).toContain('<ram:TaxTotalAmount currencyID="EUR">3.27</ram:TaxTotalAmount>')
  expect(ubl).toContain('<cbc:TaxCurrencyCode>EUR</cbc:TaxCurrencyCode>')
  expect(ubl).toContain('<cbc:TaxAmount currencyID="EUR">3.27</cbc:TaxAmount>')
  expect(ubl).toContain('VAT in EUR: €3.27 (1 USD = 0.8646 EUR, ECB, 2026-11-20).')
  expect(xmlOf(sampleInput(), 'CII')).not.toContain('TaxCurrencyCode')
})
