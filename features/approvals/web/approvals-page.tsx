import { useInfiniteQuery } from '@tanstack/react-query'
import ListChecks from 'lucide-react/icons/list-checks'
import { useState } from 'react'
import { listApprovals, type Approval } from '#features/approvals/contract.ts'
import { waitingForMoney } from '#features/approvals/slots.ts'
import { pagedQueryFor } from '#foundation/web/api/query.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Slot } from '#foundation/web/slots.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { List } from '#foundation/web/ui/list.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { m } from '#texts/messages.js'
import { DecidedRow } from './decided-row.tsx'
import { WaitingRow } from './waiting-row.tsx'

const Decide = lazyPart(() => import('./decide.tsx').then((file) => file.Decide))

type Chosen = { approval: Approval; decision: 'approve' | 'refuse' }

/** The page of actions that need a second person: first the waiting ones, then the decided ones. */
export function ApprovalsPage() {
  useTitle(m.approvals_title())
  const pages = useInfiniteQuery(pagedQueryFor(listApprovals, { query: {} }))
  const dialog = useLazyDialog(Decide)
  const [chosen, setChosen] = useState<Chosen>()
  const decide = (approval: Approval, decision: Chosen['decision']) => {
    setChosen({ approval, decision })
    dialog.show()
  }
  return (
    <Page title={m.approvals_title()} description={m.approvals_description()}>
      <Slot of={waitingForMoney} props={{}} />
      <LoadedList
        query={pages}
        failed={m.approvals_load_failed()}
        none={
          <EmptyState icon={<ListChecks size={20} aria-hidden="true" />} title={m.approvals_none()}>
            {m.approvals_none_text()}
          </EmptyState>
        }
      >
        {(approvals) => <Approvals approvals={approvals} onDecide={decide} />}
      </LoadedList>
      {chosen && dialog.open ? <Decide {...chosen} {...dialog.dialog} /> : null}
    </Page>
  )
}

type Props = {
  approvals: readonly Approval[]
  onDecide: (approval: Approval, decision: Chosen['decision']) => void
}

function Approvals({ approvals, onDecide }: Props) {
  const waiting = approvals.filter(({ status }) => status === 'proposed')
  const decided = approvals.filter(({ status }) => status !== 'proposed')
  return (
    <>
      <section aria-labelledby="approvals-waiting" className="flex flex-col gap-3">
        <h2 id="approvals-waiting" className="font-semibold">
          {m.approvals_waiting()}
        </h2>
        {waiting.length === 0 ? (
          <p className="text-sm text-muted">{m.approvals_none_waiting()}</p>
        ) : (
          <ul aria-label={m.approvals_waiting()} className="flex flex-col gap-4">
            {waiting.map((approval) => (
              <WaitingRow key={approval.id} approval={approval} onDecide={onDecide} />
            ))}
          </ul>
        )}
      </section>
      {decided.length > 0 ? (
        <section aria-labelledby="approvals-decided" className="flex flex-col gap-3">
          <h2 id="approvals-decided" className="font-semibold">
            {m.approvals_decided()}
          </h2>
          <List label={m.approvals_decided()}>
            {decided.map((approval) => (
              <DecidedRow key={approval.id} approval={approval} />
            ))}
          </List>
        </section>
      ) : null}
    </>
  )
}
