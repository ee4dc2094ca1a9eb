import {
  DISCOUNT,
  EMAIL_SCHEME,
  PAYMENT_MEANS,
  PIECE,
  PROCESS,
  typeCode,
  type Allowance,
  type Terms,
} from './e-invoice.ts'
import type { Party } from './e-invoice-parties.ts'
import { element, writeXml, type Element } from '#foundation/server/xml.ts'

/** Returns an XRechnung 3.0 in UBL 2.1. The schema prescribes the order of the elements. */
export function writeUbl(terms: Terms): string {
  const { is_credit, currency, state_vat, sums, vat, allowance, preceding } = terms
  const kind = is_credit ? 'CreditNote' : 'Invoice'
  const amount = (name: string, value: string) => element(name, value, { currencyID: currency })
  const root = element(
    kind,
    [
      element('cbc:CustomizationID', 'urn:cen.eu:en16931:2017#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0'),
      element('cbc:ProfileID', PROCESS),
      element('cbc:ID', terms.number),
      element('cbc:IssueDate', terms.issued_on),
      element('cbc:DueDate', terms.due_on),
      element(`cbc:${kind}TypeCode`, typeCode(terms)),
      ...terms.notes.map((note) => element('cbc:Note', note)),
      element('cbc:DocumentCurrencyCode', currency),
      element('cbc:TaxCurrencyCode', state_vat?.currency),
      element('cbc:BuyerReference', terms.buyer_reference),
      periodElement(terms.period),
      element('cac:OrderReference', [element('cbc:ID', terms.order_reference)]),
      element('cac:BillingReference', [
        element('cac:InvoiceDocumentReference', [
          element('cbc:ID', preceding?.number),
          element('cbc:IssueDate', preceding?.issued_on ?? ''),
        ]),
      ]),
      element('cac:AccountingSupplierParty', [party(terms.seller)]),
      element('cac:AccountingCustomerParty', [party(terms.buyer)]),
      element('cac:Delivery', [element('cbc:ActualDeliveryDate', terms.delivered_on)]),
      element('cac:PaymentMeans', [element('cbc:PaymentMeansCode', PAYMENT_MEANS)]),
      allowanceElement(terms, amount),
      element('cac:TaxTotal', [
        amount('cbc:TaxAmount', sums.vat),
        element('cac:TaxSubtotal', [
          amount('cbc:TaxableAmount', sums.net),
          amount('cbc:TaxAmount', sums.vat),
          element('cac:TaxCategory', [
            element('cbc:ID', vat.category),
            element('cbc:Percent', vat.rate),
            element('cbc:TaxExemptionReasonCode', vat.reason?.code),
            element('cbc:TaxExemptionReason', vat.reason?.text),
            taxScheme('VAT'),
          ]),
        ]),
      ]),
      ...(state_vat
        ? [
            element('cac:TaxTotal', [
              element('cbc:TaxAmount', state_vat.amount, { currencyID: state_vat.currency }),
            ]),
          ]
        : []),
      element('cac:LegalMonetaryTotal', [
        amount('cbc:LineExtensionAmount', sums.lines),
        amount('cbc:TaxExclusiveAmount', sums.net),
        amount('cbc:TaxInclusiveAmount', sums.total),
        allowance && amount('cbc:AllowanceTotalAmount', allowance.amount),
        amount('cbc:PrepaidAmount', sums.prepaid),
        amount('cbc:PayableAmount', sums.due),
      ]),
      ...terms.lines.map((line, index) => lineElement(terms, line, index, amount)),
    ],
    {
      xmlns: `urn:oasis:names:specification:ubl:schema:xsd:${kind}-2`,
      'xmlns:cac': 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
      'xmlns:cbc': 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
    },
  )
  return writeXml(root)
}

type Amount = (name: string, value: string) => Element | undefined

/** The gift that lowers the document (BG-20). */
const allowanceElement = ({ allowance, vat }: Terms, amount: Amount) =>
  element(
    'cac:AllowanceCharge',
    allowance && [...allowed(allowance, amount), taxCategory('cac:TaxCategory', vat)],
  )

/** An allowance on a line (BG-27), or on the whole document. */
const allowed = ({ amount: off, reason }: Allowance, amount: Amount) => [
  element('cbc:ChargeIndicator', 'false'),
  element('cbc:AllowanceChargeReasonCode', DISCOUNT),
  element('cbc:AllowanceChargeReason', reason),
  amount('cbc:Amount', off),
]

function lineElement(
  { is_credit, vat }: Terms,
  { name, quantity, cost, allowance, price, period }: Terms['lines'][number],
  index: number,
  amount: Amount,
): Element | undefined {
  return element(is_credit ? 'cac:CreditNoteLine' : 'cac:InvoiceLine', [
    element('cbc:ID', String(index + 1)),
    element(is_credit ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity', quantity, { unitCode: PIECE }),
    amount('cbc:LineExtensionAmount', price),
    periodElement(period),
    element('cac:AllowanceCharge', allowance && allowed(allowance, amount)),
    element('cac:Item', [element('cbc:Name', name), taxCategory('cac:ClassifiedTaxCategory', vat)]),
    element('cac:Price', [amount('cbc:PriceAmount', cost)]),
  ])
}

const periodElement = (period: Terms['period'] | null) =>
  element('cac:InvoicePeriod', [
    element('cbc:StartDate', period?.first_day),
    element('cbc:EndDate', period?.last_day),
  ])

/** The VAT category of a line or of a discount. */
const taxCategory = (name: string, { category, line_rate }: Terms['vat']) =>
  element(name, [element('cbc:ID', category), element('cbc:Percent', line_rate), taxScheme('VAT')])

const taxScheme = (id: 'VAT' | 'FC') => element('cac:TaxScheme', [element('cbc:ID', id)])

const taxNumber = (id: string, scheme: 'VAT' | 'FC') =>
  id ? element('cac:PartyTaxScheme', [element('cbc:CompanyID', id), taxScheme(scheme)]) : undefined

const party = (one: Party) =>
  element('cac:Party', [
    element('cbc:EndpointID', one.contact.email, { schemeID: EMAIL_SCHEME }),
    element('cac:PartyName', [element('cbc:Name', one.trading_name)]),
    element('cac:PostalAddress', [
      element('cbc:StreetName', one.street),
      element('cbc:AdditionalStreetName', one.addition),
      element('cbc:CityName', one.city),
      element('cbc:PostalZone', one.zip),
      element('cbc:CountrySubentity', one.state),
      element('cac:Country', [element('cbc:IdentificationCode', one.country)]),
    ]),
    taxNumber(one.vat_id, 'VAT'),
    taxNumber(one.tax_number, 'FC'),
    element('cac:PartyLegalEntity', [
      element('cbc:RegistrationName', one.name),
      element('cbc:CompanyID', one.register),
    ]),
    element('cac:Contact', [
      element('cbc:Name', one.contact.name),
      element('cbc:Telephone', one.contact.phone),
      element('cbc:ElectronicMail', one.contact.email),
    ]),
  ])
