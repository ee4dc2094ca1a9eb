import type { Edition } from '#features/catalogue/contract.ts'
import { addExtra, changeExtra, type Extra } from '#features/catalogue/extra-contract.ts'
import { extraKinds, MOST_PIECES } from '#features/licences/rules.ts'
import { decimalText, digitsOf, toMoney, type Money } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { ActDialog } from '#foundation/web/form/act-dialog.tsx'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import type { FormError } from '#foundation/web/form/use-form.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { parseAmount } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshExtras, useCurrency } from './hooks.ts'
import { namesIn, PlanNames } from './plan-names.tsx'
import { SlugField } from './text-fields.tsx'

const kindTexts = {
  setup: () => m.catalogue_extra_kind_setup(),
  addon: () => m.catalogue_extra_kind_addon(),
  once: () => m.catalogue_extra_kind_once(),
} as const

/** Adds an extra to an edition. */
export function AddExtra({ edition, ...dialog }: DialogProps & { edition: Edition }) {
  const currency = useCurrency()
  const title = m.catalogue_extra_add_to({ edition: edition.name[currentLocale()] })
  return (
    <ActDialog
      {...dialog}
      about={edition.slug}
      title={title}
      description={m.catalogue_extra_add_text()}
      act={m.catalogue_extra_add()}
      submit={async (fields, send) => {
        const kind = extraKinds.find((one) => one === fields.text('kind')) ?? 'addon'
        const read = valuesIn(fields, currency)
        if ('refused' in read) return read.refused
        const most = kind === 'setup' ? 1 : read.most
        const body = {
          ...read,
          most,
          slug: fields.text('slug'),
          edition: edition.slug,
          kind,
          name: namesIn(fields),
        }
        const answer = await send(body, () => call(addExtra, { body }))
        if (!answer) return undefined
        if (answer.status !== 201) return answer
        refreshExtras()
        const { name } = answer.body
        toastSuccess(() => m.catalogue_extra_added({ extra: name[currentLocale()] }))
        return dialog.onClose()
      }}
    >
      <PlanNames />
      <SelectField
        name="kind"
        label={m.catalogue_product_kind()}
        options={(['addon', 'setup', 'once'] as const).map((value) => ({ value, label: kindTexts[value]() }))}
      />
      <Values currency={currency} />
      <SlugField />
    </ActDialog>
  )
}

/** Changes an extra; who has it keeps the price that they have agreed to. */
export function EditExtra({ extra, ...dialog }: DialogProps & { extra: Extra }) {
  const { currency } = extra.price_net
  return (
    <ActDialog
      {...dialog}
      about={extra.slug}
      title={m.catalogue_extra_edit_of({ extra: extra.name[currentLocale()] })}
      description={m.catalogue_extra_edit_text()}
      act={m.catalogue_extra_save()}
      submit={async (fields, send) => {
        const read = valuesIn(fields, currency)
        if ('refused' in read) return read.refused
        const most = extra.kind === 'setup' ? 1 : read.most
        const is_active = fields.checked('is_active')
        const body = { ...read, most, name: namesIn(fields), is_active, version: extra.version }
        const answer = await send(body, () => call(changeExtra, { params: { slug: extra.slug }, body }))
        if (!answer) return undefined
        refreshExtras()
        if (answer.status !== 200) return answer
        toastSuccess(() => m.catalogue_extra_saved())
        return dialog.onClose()
      }}
    >
      <PlanNames name={extra.name} />
      <Values currency={currency} extra={extra} />
      <CheckboxField
        name="is_active"
        label={m.catalogue_edition_sold()}
        hint={m.catalogue_extra_sold_hint()}
        defaultChecked={extra.is_active}
      />
    </ActDialog>
  )
}

/** The fields for the price and the most pieces; a fee is one piece. */
function Values({ currency, extra }: { currency: string; extra?: Extra }) {
  return (
    <>
      <TextField
        name="price_net"
        label={m.catalogue_price_net({ currency })}
        hint={extra && extra.kind !== 'addon' ? undefined : m.catalogue_extra_price_hint()}
        defaultValue={extra && decimalText(extra.price_net)}
        inputMode={digitsOf(currency) === 0 ? 'numeric' : 'decimal'}
        autoComplete="off"
        required
      />
      {extra?.kind === 'setup' ? null : (
        <TextField
          name="most"
          label={m.catalogue_extra_most()}
          hint={extra ? undefined : m.catalogue_extra_most_hint()}
          type="number"
          inputMode="numeric"
          min={1}
          max={MOST_PIECES}
          defaultValue={String(extra?.most ?? 1)}
          autoComplete="off"
          required
        />
      )}
    </>
  )
}

type Read = { refused: FormError } | { price_net: Money; most: number }

function valuesIn(fields: FormFields, currency: string): Read {
  const refused = (param: string): Read => ({ refused: { errors: [{ code: 'invalid', param }] } })
  const price = parseAmount(fields.text('price_net'), digitsOf(currency))
  if (price === undefined || price <= 0n) return refused('price_net')
  const typed = fields.text('most').trim()
  if (typed !== '' && !/^[1-9]\d{0,2}$/.test(typed)) return refused('most')
  return { price_net: toMoney(price, currency), most: typed === '' ? 1 : Number(typed) }
}
