import { addProduct, changeProduct, type Product } from '#features/catalogue/product-contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { ActDialog } from '#foundation/web/form/act-dialog.tsx'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import { refreshPlans } from './hooks.ts'
import { kindTexts, ProductTexts, textsIn } from './product-fields.tsx'
import { SlugField } from './text-fields.tsx'

/** Adds a product, which is sold once it has an edition with a plan. */
export const NewProduct = (dialog: DialogProps) => (
  <ActDialog
    {...dialog}
    wide
    title={m.catalogue_product_add()}
    description={m.catalogue_product_add_text()}
    act={m.catalogue_product_add()}
    submit={async (fields, send) => {
      const kind: Product['kind'] = fields.text('kind') === 'server' ? 'server' : 'program'
      const body = { slug: fields.text('slug'), kind, ...textsIn(fields) }
      const answer = await send(body, () => call(addProduct, { body }))
      if (!answer) return undefined
      if (answer.status !== 201) return answer
      refreshPlans()
      const { name } = answer.body
      toastSuccess(() => m.catalogue_product_added({ product: name[currentLocale()] }))
      return dialog.onClose()
    }}
  >
    <ProductTexts />
    <SelectField
      name="kind"
      label={m.catalogue_product_kind()}
      hint={m.catalogue_product_kind_hint()}
      options={(['program', 'server'] as const).map((value) => ({ value, label: kindTexts[value]() }))}
    />
    <SlugField />
  </ActDialog>
)

/** Changes the texts of a product, or stops selling it. */
export const EditProduct = ({ product, ...dialog }: DialogProps & { product: Product }) => (
  <ActDialog
    {...dialog}
    wide
    about={product.slug}
    title={m.catalogue_product_edit_of({ product: product.name[currentLocale()] })}
    act={m.catalogue_product_save()}
    submit={async (fields, send) => {
      const is_active = fields.checked('is_active')
      const body = { ...textsIn(fields), is_active, version: product.version }
      const answer = await send(body, () => call(changeProduct, { params: { slug: product.slug }, body }))
      if (!answer) return undefined
      refreshPlans()
      if (answer.status !== 200) return answer
      toastSuccess(() => m.catalogue_product_saved())
      return dialog.onClose()
    }}
  >
    <ProductTexts product={product} />
    <CheckboxField
      name="is_active"
      label={m.catalogue_edition_sold()}
      hint={m.catalogue_product_sold_hint()}
      defaultChecked={product.is_active}
    />
  </ActDialog>
)
