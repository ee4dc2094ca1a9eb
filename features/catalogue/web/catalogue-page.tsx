import { catalogueShop } from '#features/catalogue/slots.ts'
import { useMay } from '#features/team/web/team.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { Slot } from '#foundation/web/slots.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { m } from '#texts/messages.js'
import { useCurrency } from './hooks.ts'
import { Plans } from './plans.tsx'
import { Products } from './products.tsx'
import { PromoCodes } from './promo-codes.tsx'
import { Vouchers } from './vouchers.tsx'

const AddPlan = lazyPart(() => import('./add-plan.tsx').then((file) => file.AddPlan))
const NewEdition = lazyPart(() => import('./edit-edition.tsx').then((file) => file.NewEdition))

/** Products, plans by edition, vouchers and promo codes, for staff. */
export function CataloguePage() {
  useTitle(m.catalogue_title())
  const mayEdit = useMay('plans.edit')
  const plan = useLazyDialog(AddPlan)
  const edition = useLazyDialog(NewEdition)
  const currency = useCurrency()
  return (
    <Page
      title={m.catalogue_title()}
      description={m.catalogue_text()}
      actions={
        mayEdit ? (
          <>
            <Button {...edition.opener}>{m.catalogue_edition_add()}</Button>
            <Button look="primary" {...plan.opener}>
              {m.catalogue_add()}
            </Button>
          </>
        ) : undefined
      }
    >
      <Products mayEdit={mayEdit} />
      <Plans mayEdit={mayEdit} />
      <Vouchers />
      <PromoCodes />
      <Slot of={catalogueShop} props={{}} />
      {plan.open ? <AddPlan currency={currency} {...plan.dialog} /> : null}
      {edition.open ? <NewEdition {...edition.dialog} /> : null}
    </Page>
  )
}
