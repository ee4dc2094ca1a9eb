import type { ReactNode } from 'react'
import type { Invoice } from '#features/invoices/contract.ts'
import { reissueVats, type ReissueVat as Choice } from '#features/invoices/rules.ts'
import { fieldLengths } from '#features/profile/contract.ts'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { useCountries } from '#features/customers/web/customers.ts'
import type { Place } from './reissue-preview.ts'

type Buyer = Invoice['to']
type Props = {
  /** The buyer as the invoice names them now. */
  printed: Buyer
  /** The buyer by their profile; null until it is loaded, and if the account was deleted. */
  profile: Buyer | null
  isTyped: boolean
  onTyped: (isTyped: boolean) => void
  /** Called when the place or the VAT id changes, on which the VAT depends. */
  onPlace: (change: Partial<Place>) => void
}

/** The fields for the buyer of the new invoice: from the profile, or typed, starting with the printed buyer. Typed text is kept. */
export function ReissueBuyer({ printed, profile, isTyped, onTyped, onPlace }: Props) {
  return (
    <>
      <SelectField
        name="source"
        label={m.books_reissue_buyer()}
        // The choice is not bound by `value`: the form renders at each input, before `onChange` runs, and would put the old choice back.
        defaultValue="profile"
        onChange={({ target }) => onTyped(target.value === 'typed')}
        options={[
          { value: 'profile', label: m.books_reissue_profile() },
          { value: 'typed', label: m.books_reissue_typed() },
        ]}
      />
      {profile && !isTyped ? (
        <div className="flex flex-col gap-2 text-sm">
          <p className="[overflow-wrap:anywhere]">
            <bdi>{buyerLine(profile)}</bdi>
          </p>
          {buyerLine(profile) === buyerLine(printed) ? (
            <p className="text-muted">{m.books_reissue_same_buyer()}</p>
          ) : null}
        </div>
      ) : null}
      {/* A disabled group is neither sent nor checked. */}
      <fieldset disabled={!isTyped} hidden={!isTyped} className="grid gap-4 sm:grid-cols-6">
        <legend className="sr-only">{m.books_reissue_buyer()}</legend>
        <Line of={printed} name="name" label={m.books_reissue_name()} />
        <Line of={printed} name="company" label={m.profile_company()} />
        <Line of={printed} name="street" label={m.profile_address()} span="sm:col-span-4" />
        <Line of={printed} name="apartment" label={m.profile_apartment()} span="sm:col-span-2" />
        <Line
          of={printed}
          name="zip"
          label={m.profile_zip()}
          span="sm:col-span-2"
          onType={(zip) => onPlace({ zip })}
        />
        <Line
          of={printed}
          name="city"
          label={m.profile_city()}
          span="sm:col-span-4"
          onType={(city) => onPlace({ city })}
        />
        <Line of={printed} name="state" label={m.profile_state()} span="sm:col-span-3" />
        <Cell span="sm:col-span-3">
          <SelectField
            name="buyer.country"
            label={m.profile_country()}
            defaultValue={printed.country}
            options={useCountries(printed.country)}
            empty={m.profile_country_none()}
            onChange={({ target }) => onPlace({ country: target.value })}
          />
        </Cell>
        <Line
          of={printed}
          name="vat_id"
          label={m.profile_vat_id()}
          onType={(vat_id) => onPlace({ vat_id })}
        />
      </fieldset>
    </>
  )
}

/** The choice between keeping the VAT of the invoice and deciding it anew by today's facts. */
export const ReissueVat = ({ vat, onVat }: { vat: Choice; onVat: (vat: Choice) => void }) => (
  <SelectField
    name="vat"
    label={m.books_reissue_vat()}
    hint={vat === 'decide' ? m.books_reissue_decide_hint() : undefined}
    defaultValue={vat}
    onChange={({ target }) => onVat(reissueVats.find((one) => one === target.value) ?? 'keep')}
    options={[
      { value: 'keep', label: m.books_reissue_keep() },
      { value: 'decide', label: m.books_reissue_decide() },
    ]}
  />
)

const lengths = {
  ...fieldLengths,
  name: fieldLengths.name + fieldLengths.middle_name + fieldLengths.surname + 2,
  street: fieldLengths.address,
}
type Named = 'name' | 'company' | 'street' | 'apartment' | 'zip' | 'city' | 'state' | 'vat_id'

type LineProps = {
  of: Buyer
  name: Named
  label: string
  span?: string
  onType?: (typed: string) => void
}

const Line = ({ of, name, label, span, onType }: LineProps) => (
  <Cell span={span}>
    <TextField
      name={`buyer.${name}`}
      label={label}
      defaultValue={of[name]}
      most={lengths[name]}
      autoComplete="off"
      onInput={(event) => onType?.(event.currentTarget.value)}
    />
  </Cell>
)

const Cell = ({ span = 'sm:col-span-6', children }: { span?: string | undefined; children: ReactNode }) => (
  <div className={span}>{children}</div>
)

/** Returns the typed buyer from the form, as the request needs it. */
export function buyerIn(fields: FormFields) {
  const of = (name: Named | 'country') => fields.text(`buyer.${name}`)
  return {
    name: of('name'),
    company: of('company'),
    street: of('street'),
    apartment: of('apartment'),
    zip: of('zip'),
    city: of('city'),
    state: of('state'),
    country: of('country'),
    vat_id: of('vat_id'),
  }
}

/** A buyer in one line, as the invoice would name them. */
const buyerLine = ({ company, name, street, apartment, zip, city, state, country, vat_id }: Buyer): string =>
  [company, name, street, apartment, `${zip} ${city}`.trim(), state === city ? '' : state, country, vat_id]
    .filter(Boolean)
    .join(', ')
