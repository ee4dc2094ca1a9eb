import { DISCOUNT, PAYMENT_MEANS, PIECE, PROCESS, typeCode, type Allowance, type Terms } from './e-invoice.ts'
import { ciiParty } from './cii-party.ts'
import { element, writeXml, type Element } from '#foundation/server/xml.ts'

/**
 * Returns the XML inside the PDF: Factur-X 1.0, profile EN 16931, in UN/CEFACT CII D16B. The schema prescribes the order of the elements.
 */
export function writeCii(terms: Terms): string {
  const root = element(
    'rsm:CrossIndustryInvoice',
    [
      element('rsm:ExchangedDocumentContext', [
        element('ram:BusinessProcessSpecifiedDocumentContextParameter', [element('ram:ID', PROCESS)]),
        element('ram:GuidelineSpecifiedDocumentContextParameter', [
          element('ram:ID', 'urn:cen.eu:en16931:2017'),
        ]),
      ]),
      element('rsm:ExchangedDocument', [
        element('ram:ID', terms.number),
        element('ram:TypeCode', typeCode(terms)),
        element('ram:IssueDateTime', [day(terms.issued_on)]),
        ...terms.notes.map((note) => element('ram:IncludedNote', [element('ram:Content', note)])),
      ]),
      element('rsm:SupplyChainTradeTransaction', [
        ...terms.lines.map((line, index) => lineElement(terms, line, index)),
        element('ram:ApplicableHeaderTradeAgreement', [
          element('ram:BuyerReference', terms.buyer_reference),
          element('ram:SellerTradeParty', ciiParty(terms.seller)),
          element('ram:BuyerTradeParty', ciiParty(terms.buyer)),
          element('ram:BuyerOrderReferencedDocument', [
            element('ram:IssuerAssignedID', terms.order_reference),
          ]),
        ]),
        element('ram:ApplicableHeaderTradeDelivery', [
          element('ram:ActualDeliverySupplyChainEvent', [
            element('ram:OccurrenceDateTime', [day(terms.delivered_on)]),
          ]),
        ]),
        settlement(terms),
      ]),
    ],
    {
      'xmlns:udt': `${STANDARD}:UnqualifiedDataType:100`,
      'xmlns:rsm': `${STANDARD}:CrossIndustryInvoice:100`,
      'xmlns:ram': `${STANDARD}:ReusableAggregateBusinessInformationEntity:100`,
    },
  )
  return writeXml(root)
}

const STANDARD = 'urn:un:unece:uncefact:data:standard'

/** UNTDID 2379: 102 is a day without separators. */
const day = (iso: string | undefined) =>
  element('udt:DateTimeString', iso?.replaceAll('-', ''), { format: '102' })

function lineElement(
  { vat }: Terms,
  { name, quantity, cost, allowance, price, period }: Terms['lines'][number],
  index: number,
): Element | undefined {
  return element('ram:IncludedSupplyChainTradeLineItem', [
    element('ram:AssociatedDocumentLineDocument', [element('ram:LineID', String(index + 1))]),
    element('ram:SpecifiedTradeProduct', [element('ram:Name', name)]),
    element('ram:SpecifiedLineTradeAgreement', [
      element('ram:NetPriceProductTradePrice', [element('ram:ChargeAmount', cost)]),
    ]),
    element('ram:SpecifiedLineTradeDelivery', [element('ram:BilledQuantity', quantity, { unitCode: PIECE })]),
    element('ram:SpecifiedLineTradeSettlement', [
      element('ram:ApplicableTradeTax', categoryOf(vat)),
      periodElement(period),
      element('ram:SpecifiedTradeAllowanceCharge', allowance && allowed(allowance)),
      element('ram:SpecifiedTradeSettlementLineMonetarySummation', [element('ram:LineTotalAmount', price)]),
    ]),
  ])
}

/** An allowance on a line, or on the whole document. */
const allowed = ({ amount, reason }: Allowance) => [
  element('ram:ChargeIndicator', [element('udt:Indicator', 'false')]),
  element('ram:ActualAmount', amount),
  element('ram:ReasonCode', DISCOUNT),
  element('ram:Reason', reason),
]

/** The VAT category of a line or of a discount. */
const categoryOf = ({ category, line_rate }: Terms['vat']) => [
  element('ram:TypeCode', 'VAT'),
  element('ram:CategoryCode', category),
  element('ram:RateApplicablePercent', line_rate),
]

const periodElement = (period: Terms['period'] | null) =>
  element('ram:BillingSpecifiedPeriod', [
    element('ram:StartDateTime', [day(period?.first_day)]),
    element('ram:EndDateTime', [day(period?.last_day)]),
  ])

function settlement({
  currency,
  state_vat,
  vat,
  sums,
  allowance,
  period,
  due_on,
  preceding,
}: Terms): Element | undefined {
  return element('ram:ApplicableHeaderTradeSettlement', [
    element('ram:TaxCurrencyCode', state_vat?.currency),
    element('ram:InvoiceCurrencyCode', currency),
    element('ram:SpecifiedTradeSettlementPaymentMeans', [element('ram:TypeCode', PAYMENT_MEANS)]),
    element('ram:ApplicableTradeTax', [
      element('ram:CalculatedAmount', sums.vat),
      element('ram:TypeCode', 'VAT'),
      element('ram:ExemptionReason', vat.reason?.text),
      element('ram:BasisAmount', sums.net),
      element('ram:CategoryCode', vat.category),
      element('ram:ExemptionReasonCode', vat.reason?.code),
      element('ram:RateApplicablePercent', vat.rate),
    ]),
    periodElement(period),
    element(
      'ram:SpecifiedTradeAllowanceCharge',
      allowance && [...allowed(allowance), element('ram:CategoryTradeTax', categoryOf(vat))],
    ),
    element('ram:SpecifiedTradePaymentTerms', [element('ram:DueDateDateTime', [day(due_on)])]),
    element('ram:SpecifiedTradeSettlementHeaderMonetarySummation', [
      element('ram:LineTotalAmount', sums.lines),
      element('ram:AllowanceTotalAmount', allowance?.amount),
      element('ram:TaxBasisTotalAmount', sums.net),
      element('ram:TaxTotalAmount', sums.vat, { currencyID: currency }),
      ...(state_vat
        ? [element('ram:TaxTotalAmount', state_vat.amount, { currencyID: state_vat.currency })]
        : []),
      element('ram:GrandTotalAmount', sums.total),
      element('ram:TotalPrepaidAmount', sums.prepaid),
      element('ram:DuePayableAmount', sums.due),
    ]),
    // The day of the preceding invoice (BT-26) is left out: it is optional, and Factur-X has it in another namespace only.
    element('ram:InvoiceReferencedDocument', [element('ram:IssuerAssignedID', preceding?.number)]),
  ])
}
