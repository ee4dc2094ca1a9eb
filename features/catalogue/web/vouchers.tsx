import { useState } from 'react'
import { listVouchers, type MadeVoucher } from '#features/catalogue/contract.ts'
import { paths } from '#features/paths.ts'
import { useMay } from '#features/team/web/team.ts'
import { chosenOrders } from '#foundation/paging.ts'
import { useList } from '#foundation/web/api/use-list.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { oneOf, useUrlFilter } from '#foundation/web/url-filter.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { DataTable } from '#foundation/web/ui/data-table.tsx'
import { RowDetails } from '#foundation/web/ui/row-details.tsx'
import { m } from '#texts/messages.js'
import { ShowCode, type ShownCode } from './show-code.tsx'
import { VoidVoucher } from './void-voucher.tsx'
import { nameOf, voucherColumns } from './voucher-columns.tsx'

const MakeVoucher = lazyPart(() => import('./make-voucher.tsx').then((file) => file.MakeVoucher))

const shape = { voucher_sort: oneOf(chosenOrders) }

/** All vouchers. */
export function Vouchers() {
  const mayMake = useMay('vouchers.make')
  const [{ voucher_sort: sort = '' }, change] = useUrlFilter(shape, paths.catalogue)
  const making = useLazyDialog(MakeVoucher)
  const [made, setMade] = useState<ShownCode>()
  const [chosen, setChosen] = useState<MadeVoucher>()
  const [opened, setOpened] = useState<MadeVoucher>()
  const columns = voucherColumns(setOpened, mayMake ? setChosen : undefined)
  return (
    <Card
      title={m.catalogue_vouchers()}
      description={m.catalogue_vouchers_text()}
      actions={mayMake ? <Button {...making.opener}>{m.catalogue_make()}</Button> : undefined}
    >
      <DataTable
        name="vouchers"
        label={m.catalogue_vouchers()}
        list={useList(listVouchers, { query: sort ? { sort } : {} })}
        failed={m.catalogue_vouchers_failed()}
        none={m.catalogue_no_vouchers()}
        idOf={({ id }) => id}
        columns={columns}
        sorted={sort}
        onSort={(order) => change({ voucher_sort: order })}
      />
      {making.open ? <MakeVoucher {...making.dialog} onMade={setMade} /> : null}
      {opened ? (
        <RowDetails
          item={opened}
          title={nameOf(opened)}
          columns={columns}
          onClose={() => setOpened(undefined)}
        />
      ) : null}
      {made ? <ShowCode made={made} onClose={() => setMade(undefined)} /> : null}
      {chosen ? <VoidVoucher voucher={chosen} open onClose={() => setChosen(undefined)} /> : null}
    </Card>
  )
}
