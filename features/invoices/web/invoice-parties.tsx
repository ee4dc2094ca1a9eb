import type { Buyer, Seller } from '#features/invoices/shapes.ts'
import { regionName } from '#foundation/web/i18n/region-name.ts'
import { m } from '#texts/messages.js'

/** The issuer of the invoice, as in a letterhead. */
export function SellerLines({ seller }: { seller: Seller }) {
  const { name, street, zip, city, country, vat_id, tax_number } = seller
  return (
    <Lines
      name={name}
      lines={[
        street,
        joined(zip, city),
        regionName(country),
        vat_id && m.invoices_vat_id({ id: vat_id }),
        // An invoice must show the VAT id or the tax number. If both are set, the VAT id is the one that foreign buyers need.
        vat_id ? '' : tax_number && m.invoices_tax_number({ number: tax_number }),
      ]}
    />
  )
}

export function BuyerLines({ buyer }: { buyer: Buyer }) {
  const { company, name, street, apartment, zip, city, state, country, email, vat_id } = buyer
  return (
    <Lines
      name={company || name || email}
      lines={[
        company && name,
        street,
        apartment,
        joined(zip, city),
        state === city ? '' : state,
        regionName(country),
        company || name ? email : '',
        vat_id && m.invoices_vat_id({ id: vat_id }),
      ]}
    />
  )
}

/** Legal details at the foot of the page. The bank account is shown only if something is left to pay: else people pay twice. */
export function SellerSmallPrint({ seller, isOwed }: { seller: Seller; isOwed: boolean }) {
  const { name, register, tax_number, email, phone, iban, bic } = seller
  const parts = [
    name,
    register,
    tax_number && m.invoices_tax_number({ number: tax_number }),
    email,
    phone,
    isOwed && iban && `IBAN ${iban}`,
    isOwed && bic && `BIC ${bic}`,
  ].filter((part): part is string => typeof part === 'string' && part !== '')
  return (
    <footer className="border-t border-line pt-4 text-xs leading-relaxed text-muted [overflow-wrap:anywhere]">
      {parts.join(' · ')}
    </footer>
  )
}

function Lines({ name, lines }: { name: string; lines: readonly string[] }) {
  return (
    <address className="not-italic [overflow-wrap:anywhere]">
      <span className="block font-medium">{name}</span>
      {lines
        .filter((line) => line !== '')
        .map((line, index) => (
          // Two lines may be equal, such as street and apartment, so that a line is no unique key.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index} className="block">
            {line}
          </span>
        ))}
    </address>
  )
}

const joined = (...parts: string[]): string => parts.filter((part) => part !== '').join(' ')
