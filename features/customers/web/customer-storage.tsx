import { useQuery } from '@tanstack/react-query'
import { getStorage } from '#features/support/files/contract.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Coming } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { useMayActOn } from './hooks.ts'

const ChangeStorage = lazyPart(() => import('./change-storage.tsx').then((file) => file.ChangeStorage))

/** The file storage of a customer, and the button that grants more of it. */
export function CustomerStorage({ card }: { card: CustomerCard }) {
  const mayHelp = useMayActOn(card, 'customers.help')
  return mayHelp ? <Storage card={card} /> : null
}

function Storage({ card }: { card: CustomerCard }) {
  const { data, error } = useQuery(queryFor(getStorage, { params: { userId: card.id } }))
  const dialog = useLazyDialog(ChangeStorage)
  if (!data) return <Coming of={{ error }} />
  const { kept_bytes, most_bytes, extra_mb } = data
  return (
    <Card
      title={m.customers_storage()}
      description={m.customers_storage_text({
        kept: Math.ceil(kept_bytes / MB),
        most: Math.floor(most_bytes / MB),
        extra: extra_mb,
      })}
      actions={<Button {...dialog.opener}>{m.customers_storage_change()}</Button>}
    >
      {dialog.open ? <ChangeStorage card={card} extra_mb={extra_mb} {...dialog.dialog} /> : null}
    </Card>
  )
}

const MB = 1_000_000
