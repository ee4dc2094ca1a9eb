import type { Invoice } from '#features/invoices/contract.ts'
import type { DocumentInput } from './document-input.ts'

/** Seller or buyer (BG-4, BG-7). Unknown values are ''. */
export type Party = Record<
  'street' | 'addition' | 'zip' | 'city' | 'state' | 'country' | 'vat_id' | 'tax_number' | 'register',
  string
> & {
  /** The legal name (BT-27, BT-44), and the trading name (BT-28). */
  name: string
  trading_name: string
  contact: Record<'name' | 'phone' | 'email', string>
}

/** Returns the seller (BG-4). If VAT does not apply at all, neither party's VAT id may be in the invoice (BR-O-02). */
export function sellerParty({ from, vat_kind }: Invoice): Party {
  // BR-CO-26: the seller must be identifiable, if only by a number that has no meaning for VAT here.
  const isUnnamed = vat_kind === 'outside_eu' || from.vat_id === ''
  return {
    ...addressOf(from),
    addition: '',
    state: '',
    vat_id: vat_kind === 'outside_eu' ? '' : from.vat_id,
    tax_number: from.tax_number,
    register: from.register || (isUnnamed ? from.tax_number || from.vat_id : ''),
    name: from.name,
    trading_name: from.name,
    contact: { name: from.name, phone: from.phone, email: from.email },
  }
}

/** Returns the buyer (BG-7). A buyer without a name is named by the email address. */
export function buyerParty({ invoice: { to, vat_kind }, vat_country }: DocumentInput): Party {
  return {
    ...addressOf({ ...to, country: to.country || vat_country }),
    addition: to.apartment,
    state: to.state,
    vat_id: vat_kind === 'outside_eu' ? '' : to.vat_id,
    tax_number: '',
    register: '',
    name: to.company || to.name || to.email,
    trading_name: '',
    contact: { name: to.company ? to.name : '', phone: '', email: to.email },
  }
}

const addressOf = ({
  street,
  zip,
  city,
  country,
}: Record<'street' | 'zip' | 'city' | 'country', string>) => ({
  street,
  zip,
  city,
  country,
})
