import type { CustomerCard } from '#features/support/desk/contract.ts'
import { useMay } from '#features/team/web/team.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { m } from '#texts/messages.js'

const ExportCustomer = lazyPart(() => import('./data-dialogs.tsx').then((file) => file.ExportCustomer))
const EraseCustomer = lazyPart(() => import('./data-dialogs.tsx').then((file) => file.EraseCustomer))
const MergeAccount = lazyPart(() => import('./merge-dialogs.tsx').then((file) => file.MergeAccount))

/** Export, merge and deletion, for customers who ask the support for them. */
export function CustomerData({ card }: { card: CustomerCard }) {
  const mayExport = useMay('customers.export')
  const mayErase = useMay('customers.erase')
  const mayMerge = useMay('customers.merge')
  const copy = useLazyDialog(ExportCustomer)
  const erase = useLazyDialog(EraseCustomer)
  const merge = useLazyDialog(MergeAccount)
  if (card.is_staff || !(mayExport || mayErase || mayMerge)) return null
  return (
    <Card
      title={m.customers_data()}
      description={m.customers_data_text()}
      actions={
        <>
          {mayExport ? <Button {...copy.opener}>{m.customers_export()}</Button> : null}
          {mayMerge ? <Button {...merge.opener}>{m.customers_merge()}</Button> : null}
          {mayErase ? <Button {...erase.opener}>{m.customers_erase()}</Button> : null}
        </>
      }
    >
      {copy.open ? <ExportCustomer card={card} {...copy.dialog} /> : null}
      {merge.open ? <MergeAccount card={card} {...merge.dialog} /> : null}
      {erase.open ? <EraseCustomer card={card} {...erase.dialog} /> : null}
    </Card>
  )
}
