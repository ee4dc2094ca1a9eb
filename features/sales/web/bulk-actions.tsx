import { useState } from 'react'
import type { Host } from '#features/hosts/contract.ts'
import { MOST_SERVERS } from '#features/sales/rules.ts'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import type { Many } from './many.ts'

const BulkDialog = lazyPart(() => import('./bulk-dialog.tsx').then((file) => file.BulkDialog))

type Props = {
  hosts: readonly Host[]
  onTakeOut: (ids: readonly string[]) => void
  onDone: () => void
}

/** The actions for the selected servers, which share one dialog. */
export function BulkActions({ hosts, onTakeOut, onDone }: Props) {
  const [act, setAct] = useState<Many>('renew')
  const dialog = useLazyDialog(BulkDialog)
  if (hosts.length > MOST_SERVERS)
    return <p className="text-muted">{m.sales_bulk_most({ count: MOST_SERVERS })}</p>
  const open = (wanted: Many) => ({
    ...dialog.opener,
    onClick: () => {
      setAct(wanted)
      dialog.show()
    },
  })
  return (
    <>
      <Button size="small" look="primary" {...open('renew')}>
        {m.sales_bulk_renew()}
      </Button>
      <Button size="small" {...open('upgrade')}>
        {m.sales_upgrade()}
      </Button>
      <Button size="small" {...open('auto_renew')}>
        {m.sales_bulk_auto_renew()}
      </Button>
      <Button size="small" {...open('renewal_plan')}>
        {m.sales_bulk_renewal_plan()}
      </Button>
      {dialog.open ? (
        <BulkDialog {...dialog.dialog} act={act} hosts={hosts} onTakeOut={onTakeOut} onDone={onDone} />
      ) : null}
    </>
  )
}
