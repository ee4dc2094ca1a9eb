import { useState } from 'react'
import { listPromoCodes, type PromoCode } from '#features/catalogue/promo-contract.ts'
import { useMay } from '#features/team/web/team.ts'
import { useList } from '#foundation/web/api/use-list.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { DataTable } from '#foundation/web/ui/data-table.tsx'
import { m } from '#texts/messages.js'
import { EndPromoCode } from './end-promo-code.tsx'
import { MakePromoCode } from './make-promo-code.tsx'
import { promoColumns } from './promo-columns.tsx'

/** All promo codes, the newest first. */
export function PromoCodes() {
  const mayMake = useMay('vouchers.make')
  const [making, setMaking] = useState(false)
  const [chosen, setChosen] = useState<PromoCode>()
  return (
    <Card
      title={m.catalogue_promos()}
      description={m.catalogue_promos_text()}
      actions={
        mayMake ? <Button onClick={() => setMaking(true)}>{m.catalogue_promo_make()}</Button> : undefined
      }
    >
      <DataTable
        name="promo-codes"
        label={m.catalogue_promos()}
        list={useList(listPromoCodes, { query: {} })}
        failed={m.catalogue_promos_failed()}
        none={m.catalogue_no_promos()}
        idOf={({ id }) => id}
        columns={promoColumns(mayMake ? setChosen : undefined)}
        sorted=""
      />
      {making ? <MakePromoCode open onClose={() => setMaking(false)} /> : null}
      {chosen ? <EndPromoCode promo={chosen} open onClose={() => setChosen(undefined)} /> : null}
    </Card>
  )
}
