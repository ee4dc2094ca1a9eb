import type { Invoice } from '#features/invoices/contract.ts'
import type { DocumentInput } from './document-input.ts'

/** BG-4. Where VAT does not apply at all, nobody's VAT id may stand in the invoice (BR-O-02). */
export function sellerParty({ from, vat_kind }: Invoice) {
  const taxIds = [
    ...(from.vat_id && vat_kind !== 'outside_eu' ? [taxId(from.vat_id, 'VAT')] : []),
    ...(from.tax_number ? [taxId(from.tax_number, 'FC')] : []),
  ]
  // BR-CO-26: somebody must be able to tell who this is, if only by a number that counts for no VAT here.
  const isUnnamed = vat_kind === 'outside_eu' || from.vat_id === ''
  const register = from.register || (isUnnamed ? from.tax_number || from.vat_id : '')
  return {
    ...endpoint(from.email),
    'cac:PartyName': { 'cbc:Name': from.name },
    'cac:PostalAddress': address(from),
    ...(taxIds.length > 0 ? { 'cac:PartyTaxScheme': taxIds } : {}),
    'cac:PartyLegalEntity': {
      'cbc:RegistrationName': from.name,
      ...filled({ 'cbc:CompanyID': register }),
    },
    'cac:Contact': filled({
      'cbc:Name': from.name,
      'cbc:Telephone': from.phone,
      'cbc:ElectronicMail': from.email,
    }),
  }
}

/** BG-7. Whoever gave no name is known by the address of the mailbox. */
export function buyerParty({ invoice: { to, vat_kind }, vat_country }: DocumentInput) {
  const country = to.country || vat_country
  const person = to.company ? filled({ 'cbc:Name': to.name }) : {}
  return {
    ...endpoint(to.email),
    'cac:PostalAddress': {
      ...address({ ...to, country }),
      ...filled({ 'cbc:AdditionalStreetName': to.apartment, 'cbc:CountrySubentity': to.state }),
    },
    ...(to.vat_id && vat_kind !== 'outside_eu' ? { 'cac:PartyTaxScheme': taxId(to.vat_id, 'VAT') } : {}),
    'cac:PartyLegalEntity': { 'cbc:RegistrationName': to.company || to.name || to.email },
    'cac:Contact': { ...person, 'cbc:ElectronicMail': to.email },
  }
}

/** BT-34 and BT-49; EM is an e-mail address in the list of electronic address schemes. */
const endpoint = (email: string) =>
  email ? { 'cbc:EndpointID': email, 'cbc:EndpointID@schemeID': 'EM' } : {}

const taxId = (id: string, scheme: 'VAT' | 'FC') => ({
  'cbc:CompanyID': id,
  'cac:TaxScheme': { 'cbc:ID': scheme },
})

const address = ({ street, zip, city, country }: Record<'street' | 'zip' | 'city' | 'country', string>) => ({
  ...filled({ 'cbc:StreetName': street, 'cbc:CityName': city, 'cbc:PostalZone': zip }),
  'cac:Country': { 'cbc:IdentificationCode': country },
})

/** Elements without content are none: XML schemas and the rules of EN 16931 (BR-DEC, PEPPOL-R008) refuse empty ones. */
const filled = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
