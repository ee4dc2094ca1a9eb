import { EMAIL_SCHEME } from './e-invoice.ts'
import type { Party } from './e-invoice-parties.ts'
import { element, type Element } from '#foundation/server/xml.ts'

/** Returns a seller or a buyer in the elements of UN/CEFACT CII. */
export function ciiParty(one: Party): (Element | undefined)[] {
  const { name, phone, email } = one.contact
  return [
    element('ram:Name', one.name),
    element('ram:SpecifiedLegalOrganization', [
      element('ram:ID', one.register),
      element('ram:TradingBusinessName', one.trading_name),
    ]),
    element('ram:DefinedTradeContact', [
      element('ram:PersonName', name),
      element('ram:TelephoneUniversalCommunication', [element('ram:CompleteNumber', phone)]),
      element('ram:EmailURIUniversalCommunication', [element('ram:URIID', email)]),
    ]),
    element('ram:PostalTradeAddress', [
      element('ram:PostcodeCode', one.zip),
      element('ram:LineOne', one.street),
      element('ram:LineTwo', one.addition),
      element('ram:CityName', one.city),
      element('ram:CountryID', one.country),
      element('ram:CountrySubDivisionName', one.state),
    ]),
    element('ram:URIUniversalCommunication', [element('ram:URIID', email, { schemeID: EMAIL_SCHEME })]),
    taxNumber(one.vat_id, 'VA'),
    taxNumber(one.tax_number, 'FC'),
  ]
}

const taxNumber = (id: string, scheme: 'VA' | 'FC') =>
  element('ram:SpecifiedTaxRegistration', [element('ram:ID', id, { schemeID: scheme })])
