import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { faultsBySchema, faultsInCii, faultsInXrechnung } from '#tests/documents/validate.ts'
import { sampleInput, sampleKinds, type Sample } from '#tests/harness/billing-documents.ts'
import { xmlOf } from './make.ts'
import { must } from '#foundation/must.ts'

/** The texts of all elements of a name, in order; the prefix does not matter. */
const all = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<(?:\\w+:)?${name}(?: [^>]*)?>([^<]*)<`, 'g'))].map(([, text = '']) => text)
const inside = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<(?:\\w+:)?${name}(?: [^>]*)?>(.*?)</(?:\\w+:)?${name}>`, 'gs'))].map(
    ([, text = '']) => text,
  )
const one = (xml: string, name: string): string => {
  const found = all(xml, name)
  expect(found, name).toHaveLength(1)
  return must(found[0])
}
/** '19.90' is 1990n. */
const cents = (text: string): bigint => {
  expect(text).toMatch(/^\d+\.\d\d$/)
  return BigInt(text.replace('.', ''))
}

/** Checks the rules of EN 16931 that are about sums, on the XML as a receiver reads it. */
function addUp(xml: string): void {
  const lines = inside(xml, 'IncludedSupplyChainTradeLineItem')
  const nets = lines.map((line) => cents(one(line, 'LineTotalAmount')))
  for (const [index, line] of lines.entries())
    // BR-24 and the price rule: net of the line is quantity times price, less its allowance.
    expect(BigInt(one(line, 'BilledQuantity')) * cents(one(line, 'ChargeAmount'))).toBe(
      must(nets[index]) + all(line, 'ActualAmount').reduce((sum, off) => sum + cents(off), 0n),
    )
  const sums = must(inside(xml, 'SpecifiedTradeSettlementHeaderMonetarySummation')[0])
  const [breakdown = '', ...more] = inside(
    must(inside(xml, 'ApplicableHeaderTradeSettlement')[0]),
    'ApplicableTradeTax',
  )
  expect(more).toEqual([])
  const sum = cents(one(sums, 'LineTotalAmount'))
  const [withoutVat, vat] = [
    cents(one(sums, 'TaxBasisTotalAmount')),
    cents(must(all(sums, 'TaxTotalAmount')[0])),
  ]
  const withVat = cents(one(sums, 'GrandTotalAmount'))
  expect(sum, 'BR-CO-10').toBe(nets.reduce((total, net) => total + net, 0n))
  const settled = must(inside(xml, 'ApplicableHeaderTradeSettlement')[0])
  const allowances = inside(settled, 'SpecifiedTradeAllowanceCharge').map((it) =>
    cents(one(it, 'ActualAmount')),
  )
  const allowance = allowances.reduce((total, amount) => total + amount, 0n)
  expect(all(sums, 'AllowanceTotalAmount').map(cents), 'BR-CO-11').toEqual(allowance > 0n ? [allowance] : [])
  expect(all(sums, 'ChargeTotalAmount'), 'BR-CO-12').toEqual([])
  expect(withoutVat, 'BR-CO-13').toBe(sum - allowance)
  expect(vat, 'BR-CO-14').toBe(cents(one(breakdown, 'CalculatedAmount')))
  expect(withVat, 'BR-CO-15').toBe(withoutVat + vat)
  expect(cents(one(sums, 'DuePayableAmount')), 'BR-CO-16').toBe(
    withVat - cents(one(sums, 'TotalPrepaidAmount')),
  )
  const [rate = '0'] = all(breakdown, 'RateApplicablePercent')
  const [whole = '0', hundredths = ''] = rate.split('.')
  const rate_bp = BigInt(whole + hundredths.padEnd(2, '0'))
  expect(vat, 'BR-CO-17').toBe((cents(one(breakdown, 'BasisAmount')) * rate_bp + 5_000n) / 10_000n)
}

describe.each(Object.entries(sampleKinds))('F-02: %s as XML', (_, sample: Sample) => {
  const paper = sampleInput(sample)

  it('fits the published schema of Factur-X and the rules of EN 16931 with their code lists, and adds up', async () => {
    const xml = xmlOf(paper, 'CII')
    expect(await faultsInCii(xml)).toEqual([])
    addUp(xml)
    expect(all(xml, 'ID')[0]).toBe('urn:fdc:peppol.eu:2017:poacc:billing:01:1.0')
    expect(xml).toContain('urn:cen.eu:en16931:2017<')
  })

  it('names a gift as a discount (BG-20, code 95), with the category and rate of the lines, and nothing where there is none', () => {
    const xml = xmlOf(paper, 'XRECHNUNG-UBL')
    const charges = inside(xml, 'AllowanceCharge').filter((it) => it.includes('TaxCategory'))
    expect(charges).toHaveLength(sample.gift ? 1 : 0)
    const [line = ''] = inside(xml, 'ClassifiedTaxCategory')
    for (const charge of charges) {
      expect(all(charge, 'AllowanceChargeReasonCode')).toEqual(['95'])
      expect(all(charge, 'ID')).toEqual(all(line, 'ID'))
      expect(all(charge, 'Percent')).toEqual(all(line, 'Percent'))
      expect(one(charge, 'Amount').replace('.', '')).toBe(paper.invoice.allowance.amount.padStart(3, '0'))
    }
  })

  it('names a promo code on each line that it has lowered (BG-27, code 95), and on no other', () => {
    const lines = inside(xmlOf(paper, 'XRECHNUNG-UBL'), '(?:Invoice|CreditNote)Line')
    const lowered = paper.invoice.lines.map(({ allowance }) => allowance?.amount.amount)
    expect(lines.map((line) => all(line, 'Amount')[0]?.replace('.', ''))).toEqual(lowered)
    for (const line of lines)
      expect(all(line, 'AllowanceChargeReason').every((reason) => reason.includes('SUMMER'))).toBe(true)
  })

  it('writes the same terms into XRechnung', async () => {
    const xml = xmlOf(paper, 'XRECHNUNG-UBL')
    if (paper.invoice.formats.includes('xrechnung')) expect(await faultsInXrechnung(xml)).toEqual([])
    expect(one(xml, 'CustomizationID')).toMatch(/xrechnung_3\.0$/)
    expect(one(xml, 'TaxInclusiveAmount').replace('.', '')).toBe(paper.invoice.total.amount.padStart(3, '0'))
    expect(one(xml, 'PayableAmount')).toBe('0.00')
    expect(all(xml, 'BuyerReference')).toEqual([paper.invoice.to.email])
    // PEPPOL-EN16931-R008: no element is empty.
    expect(xml).not.toMatch(/<([\w:]+)[^>]*>\s*<\/\1>|<[\w:]+[^>]*\/>/)
  })
})

it('validation by the schema finds an error in a broken document', async () => {
  const xml = xmlOf(sampleInput(), 'CII')
  expect(await faultsBySchema(xml.replace('<ram:TypeCode>380</ram:TypeCode>', ''))).not.toEqual([])
})

describe('F-02: the texts and numbers of each VAT category', () => {
  const categoriesOf = async (sample: Sample) => {
    const xml = xmlOf(sampleInput(sample), 'CII')
    return {
      xml,
      categories: new Set(all(xml, 'CategoryCode')),
      rates: new Set(all(xml, 'RateApplicablePercent')),
    }
  }

  it('S with the rate, at home and elsewhere', async () => {
    expect(await categoriesOf({})).toMatchObject({ categories: new Set(['S']), rates: new Set(['19']) })
    const finland = await categoriesOf(must(sampleKinds['a consumer elsewhere in the EU']))
    expect(finland).toMatchObject({ categories: new Set(['S']), rates: new Set(['25.5']) })
  })

  it('AE with both VAT ids and the reason', async () => {
    const { xml, categories, rates } = await categoriesOf(must(sampleKinds['reverse charge']))
    expect([categories, rates]).toEqual([new Set(['AE']), new Set(['0'])])
    expect(one(xml, 'ExemptionReasonCode')).toBe('VATEX-EU-AE')
    expect(xml).toContain('>DE123456789<')
    expect(xml).toContain('>LV12345678901<')
  })

  it('O without a rate on the line and without any VAT id (BR-O-02, BR-O-05), and with 0 in the sum (BR-DE-14)', async () => {
    const only = 'outside of the EU, by a seller with nothing but a VAT id'
    for (const sample of [must(sampleKinds['outside of the EU']), must(sampleKinds[only])]) {
      const { xml, categories, rates } = await categoriesOf(sample)
      expect([categories, rates]).toEqual([new Set(['O']), new Set(['0'])])
      for (const line of inside(xml, 'IncludedSupplyChainTradeLineItem'))
        expect(all(line, 'RateApplicablePercent')).toEqual([])
      expect(one(xml, 'ExemptionReasonCode')).toBe('VATEX-EU-O')
      expect(xml).not.toContain('schemeID="VA"')
    }
    // BR-CO-26: without the VAT id, another number identifies the seller.
    const [organization = ''] = inside(
      (await categoriesOf(must(sampleKinds[only]))).xml,
      'SpecifiedLegalOrganization',
    )
    expect(one(organization, 'ID')).toBe('DE123456789')
  })

  it('a credit note is 381, positive, and names the invoice', async () => {
    const { xml } = await categoriesOf(must(sampleKinds['a credit note']))
    expect(one(xml, 'IssuerAssignedID')).toBe('HD-2026-000003')
    expect(all(xml, 'TypeCode')[0]).toBe('381')
    expect(xmlOf(sampleInput({ kind: 'credit_note' }), 'XRECHNUNG-UBL')).toContain('<CreditNote ')
  })
})

it('writes what people typed as text, even if it looks like XML', async () => {
  // `&nbsp;` is no entity of XML; a writer that passes it on makes a document that cannot be parsed.
  const name = `<b>&amp;&nbsp;& "'Ω漢字🙂]]>\u0001`
  for (const format of ['CII', 'XRECHNUNG-UBL'] as const) {
    const xml = xmlOf(sampleInput({ to: { name, company: name } }), format)
    if (format === 'CII') expect(await faultsBySchema(xml)).toEqual([])
    expect(xml).toContain('&lt;b&gt;&amp;amp;&amp;nbsp;&amp; "\'Ω漢字🙂]]&gt;<')
  }
})

it('F-02: adds up with any lines and any rate', async () => {
  const lines = fc.array(fc.tuple(fc.bigInt(1n, 99n), fc.bigInt(0n, 10_000_000n)), {
    minLength: 1,
    maxLength: 8,
  })
  const rates = fc.constantFrom(1_700n, 1_900n, 2_000n, 2_550n, 2_700n, 810n)
  await fc.assert(
    fc.asyncProperty(lines, rates, async (lines, rate_bp) => {
      addUp(xmlOf(sampleInput({ lines, rate_bp }), 'CII'))
    }),
    { numRuns: 60 },
  )
})
