import { useState } from 'react'
import { catalogueShop } from '#features/catalogue/slots.ts'
import { useMay } from '#features/team/web/team.ts'
import { Slot } from '#foundation/web/slots.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { m } from '#texts/messages.js'
import { AddPlan } from './add-plan.tsx'
import { NewEdition } from './edit-edition.tsx'
import { useCurrency } from './hooks.ts'
import { Plans } from './plans.tsx'
import { Products } from './products.tsx'
import { PromoCodes } from './promo-codes.tsx'
import { Vouchers } from './vouchers.tsx'

/** Products, plans by edition, vouchers and promo codes, for staff. */
export function CataloguePage() {
  useTitle(m.catalogue_title())
  const mayEdit = useMay('plans.edit')
  const [adding, setAdding] = useState<'plan' | 'edition'>()
  const currency = useCurrency()
  const close = () => setAdding(undefined)
  return (
    <Page
      title={m.catalogue_title()}
      description={m.catalogue_text()}
      actions={
        mayEdit ? (
          <>
            <Button onClick={() => setAdding('edition')}>{m.catalogue_edition_add()}</Button>
            <Button look="primary" onClick={() => setAdding('plan')}>
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
      {adding === 'plan' ? <AddPlan currency={currency} open onClose={close} /> : null}
      {adding === 'edition' ? <NewEdition onClose={close} /> : null}
    </Page>
  )
}
