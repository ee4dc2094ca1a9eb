import HandCoins from 'lucide-react/icons/hand-coins'
import type { Side } from '#features/payers/rules.ts'
import { useLazyDialog, type DialogProps } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { m } from '#texts/messages.js'
import { AgreementActions } from './agreement-actions.tsx'
import { factsOf } from './agreement-facts.ts'
import { useAgreements } from './hooks.ts'
import { otherSide } from './names.ts'

const ProposeDialog = lazyPart<DialogProps>(() =>
  import('./propose-dialog.tsx').then((file) => file.ProposeDialog),
)

/** The agreements by which the person pays for servers of others, or others pay for theirs. Mails of offers lead here. */
export function PaidForPage() {
  useTitle(m.payers_title())
  return (
    <Page title={m.payers_title()} description={m.payers_text()}>
      <PaidFor />
    </Page>
  )
}

/** The agreements on both sides, for this page and for its tab among the finances. */
export function PaidFor() {
  const offer = useLazyDialog(ProposeDialog)
  return (
    <>
      <Card
        title={m.payers_paying()}
        actions={
          <Button icon={<HandCoins size={15} aria-hidden="true" />} {...offer.opener}>
            {m.payers_offer()}
          </Button>
        }
      >
        <Agreements side="payer" label={m.payers_paying()} none={m.payers_paying_none()} />
        {offer.open ? <ProposeDialog {...offer.dialog} /> : null}
      </Card>
      <Card title={m.payers_paid()}>
        <Agreements side="owner" label={m.payers_paid()} none={m.payers_paid_none()} />
      </Card>
    </>
  )
}

function Agreements({ side, label, none }: { side: Side; label: string; none: string }) {
  const query = useAgreements(side)
  return (
    <LoadedList query={query} failed={m.payers_failed()} waiting="h-16" none={none}>
      {(agreements) => (
        <List label={label}>
          {agreements.map((agreement) => (
            <ListRow
              key={agreement.id}
              title={otherSide(agreement)}
              badge={
                agreement.state === 'offered' ? <Badge tone="warning">{m.payers_offered()}</Badge> : undefined
              }
              detail={factsOf(agreement).join(' · ')}
              actions={<AgreementActions agreement={agreement} />}
            />
          ))}
        </List>
      )}
    </LoadedList>
  )
}
