import type { CustomerCard } from '#features/support/desk/contract.ts'
import { useMay } from '#features/team/web/team.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { m } from '#texts/messages.js'

const ExportCustomer = lazyPart(() => import('./data-dialogs.tsx').then((file) => file.ExportCustomer))
const EraseCustomer = lazyPart(() => import('./data-dialogs.tsx').then((file) => file.EraseCustomer))

/** Export and deletion, for customers who ask the support for them. */
export function CustomerData({ card }: { card: CustomerCard }) {
  const mayExport = useMay('customers.export')
  const mayErase = useMay('customers.erase')
  const copy = useLazyDialog(ExportCustomer)
  const erase = useLazyDialog(EraseCustomer)
  if (card.is_staff || !(mayExport || mayErase)) return null
  return (
    <Card
      title={m.customers_data()}
      description={m.customers_data_text()}
      actions={
        <>
          {mayExport ? <Button {...copy.opener}>{m.customers_export()}</Button> : null}
          {mayErase ? <Button {...erase.opener}>{m.customers_erase()}</Button> : null}
        </>
      }
    >
      {copy.open ? <ExportCustomer card={card} {...copy.dialog} /> : null}
      {erase.open ? <EraseCustomer card={card} {...erase.dialog} /> : null}
    </Card>
  )
}
