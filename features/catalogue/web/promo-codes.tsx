import { useState } from 'react'
import { listPromoCodes, type PromoCode } from '#features/catalogue/promo-contract.ts'
import { paths } from '#features/paths.ts'
import { useMay } from '#features/team/web/team.ts'
import { useList } from '#foundation/web/api/use-list.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { oneOf, useUrlFilter } from '#foundation/web/url-filter.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { DataTable } from '#foundation/web/ui/data-table.tsx'
import { RowDetails } from '#foundation/web/ui/row-details.tsx'
import { m } from '#texts/messages.js'
import { EndPromoCode } from './end-promo-code.tsx'
import { promoColumns } from './promo-columns.tsx'

const MakePromoCode = lazyPart(() => import('./make-promo-code.tsx').then((file) => file.MakePromoCode))

const shape = { promo_sort: oneOf(['oldest']) }

/** All promo codes. */
export function PromoCodes() {
  const mayMake = useMay('vouchers.make')
  const [{ promo_sort: sort = '' }, change] = useUrlFilter(shape, paths.catalogue)
  const making = useLazyDialog(MakePromoCode)
  const [chosen, setChosen] = useState<PromoCode>()
  const [opened, setOpened] = useState<PromoCode>()
  const columns = promoColumns(setOpened, mayMake ? setChosen : undefined)
  return (
    <Card
      title={m.catalogue_promos()}
      description={m.catalogue_promos_text()}
      actions={mayMake ? <Button {...making.opener}>{m.catalogue_promo_make()}</Button> : undefined}
    >
      <DataTable
        name="promo-codes"
        label={m.catalogue_promos()}
        list={useList(listPromoCodes, { query: sort ? { sort } : {} })}
        failed={m.catalogue_promos_failed()}
        none={m.catalogue_no_promos()}
        idOf={({ id }) => id}
        columns={columns}
        sorted={sort}
        onSort={(order) => change({ promo_sort: order })}
      />
      {making.open ? <MakePromoCode {...making.dialog} /> : null}
      {opened ? (
        <RowDetails
          item={opened}
          title={opened.code}
          columns={columns}
          onClose={() => setOpened(undefined)}
        />
      ) : null}
      {chosen ? <EndPromoCode promo={chosen} open onClose={() => setChosen(undefined)} /> : null}
    </Card>
  )
}
