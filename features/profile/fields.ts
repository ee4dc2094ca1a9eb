import { m } from '#texts/messages.js'

type Field = {
  /** The longest text, in code points. The column of the same name has the same limit. */
  most: number
  /** The card of the page that shows it, and how many of its six columns it takes. */
  card: 'person' | 'address' | 'company'
  span: 2 | 3 | 4 | 6
  label: () => string
  hint?: () => string
  /** The token by which browsers fill the field. */
  fill: string
  /** The value in the examples of the API document. */
  example: string
}

/**
 * The texts of a profile, besides its country. Contract, statements and page are made of this list, so that one more is a line here, a
 * column of `profiles`, and its label in each language.
 */
export const fields = {
  name: { most: 100, card: 'person', span: 3, label: m.profile_name, fill: 'given-name', example: 'Anna' },
  middle_name: {
    most: 100,
    card: 'person',
    span: 3,
    label: m.profile_middle_name,
    fill: 'additional-name',
    example: '',
  },
  surname: {
    most: 100,
    card: 'person',
    span: 6,
    label: m.profile_surname,
    fill: 'family-name',
    example: 'Example',
  },
  address: {
    most: 200,
    card: 'address',
    span: 4,
    label: m.profile_address,
    fill: 'address-line1',
    example: '12 Harbour Street',
  },
  apartment: {
    most: 50,
    card: 'address',
    span: 2,
    label: m.profile_apartment,
    fill: 'address-line2',
    example: '3 B',
  },
  zip: { most: 20, card: 'address', span: 2, label: m.profile_zip, fill: 'postal-code', example: '20457' },
  city: {
    most: 100,
    card: 'address',
    span: 4,
    label: m.profile_city,
    fill: 'address-level2',
    example: 'Hamburg',
  },
  state: {
    most: 100,
    card: 'address',
    span: 3,
    label: m.profile_state,
    fill: 'address-level1',
    example: 'Hamburg',
  },
  company: {
    most: 200,
    card: 'company',
    span: 3,
    label: m.profile_company,
    fill: 'organization',
    example: 'Example GmbH',
  },
  vat_id: {
    most: 30,
    card: 'company',
    span: 3,
    label: m.profile_vat_id,
    hint: m.profile_vat_id_hint,
    fill: 'off',
    example: 'DE123456789',
  },
} as const satisfies Record<string, Field>

export type FieldName = keyof typeof fields

export const fieldNames = namesOf(fields)

export const fieldLengths = ofEachField((_name, { most }) => most)

/** Makes one thing of each field, under its name. */
export function ofEachField<Made>(make: (name: FieldName, field: Field) => Made): Record<FieldName, Made>
export function ofEachField(make: (name: FieldName, field: Field) => unknown): object {
  return Object.fromEntries(fieldNames.map((name) => [name, make(name, fields[name])]))
}

function namesOf<Name extends string>(named: Readonly<Record<Name, unknown>>): Name[]
function namesOf(named: object): string[] {
  return Object.keys(named)
}
