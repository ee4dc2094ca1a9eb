import { paths } from '#features/paths.ts'
import type { CustomerAccount } from '#features/customers/contract.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { formatDate, formatDateTime } from '#foundation/web/i18n/format.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Coming } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { PinnedNotes } from './customer-notes.tsx'
import { useAccount, useMayActOn } from './hooks.ts'

const UndoMerge = lazyPart(() => import('./merge-dialogs.tsx').then((file) => file.UndoMerge))

/** Says which accounts were merged into this one, each with the notes about it that staff must read. */
export function MergedFrom({ card: { id } }: { card: CustomerCard }) {
  const { data, error } = useAccount(id)
  if (!data) return <Coming of={{ error }} />
  return data.merged_from.map((merged) => (
    <section key={merged.id} className="flex flex-col gap-3">
      <Alert>
        <p className="[overflow-wrap:anywhere]">
          <TextLink to={paths.customer(merged.id)}>
            {m.customers_merged_from({ email: merged.email, date: formatDate(merged.merged_at) })}
          </TextLink>
        </p>
      </Alert>
      <PinnedNotes userId={merged.id} />
    </section>
  ))
}

type Props = { card: CustomerCard; into: NonNullable<CustomerAccount['merged_into']> }

/** Says of a merged account where its things are, and undoes that for some days. */
export function MergedNotice({ card, into: { id, email, undo_until } }: Props) {
  const undo = useLazyDialog(UndoMerge)
  const mayUndo = useMayActOn(card, 'customers.merge')
  return (
    <Alert tone="warning">
      <p className="font-medium [overflow-wrap:anywhere]">
        <TextLink to={paths.customer(id)}>{m.customers_merged_into({ email })}</TextLink>
      </p>
      {mayUndo && undo_until !== null ? (
        <>
          <p>{m.customers_unmerge_until({ date: formatDateTime(undo_until) })}</p>
          <div className="mt-2">
            <Button size="small" {...undo.opener}>
              {m.customers_unmerge()}
            </Button>
          </div>
        </>
      ) : null}
      {undo.open ? <UndoMerge card={card} {...undo.dialog} /> : null}
    </Alert>
  )
}
