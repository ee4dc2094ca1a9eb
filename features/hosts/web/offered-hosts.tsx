import type { Transfer } from '#features/hosts/transfer-contract.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { useLazyDialog, type DialogProps } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { useOffered } from './transfer-hooks.ts'

const OfferedDialog = lazyPart<DialogProps & { transfer: Transfer }>(() =>
  import('./offered-dialog.tsx').then((file) => file.OfferedDialog),
)

/** Servers that others offer, each to be reviewed and then accepted or declined. Mails of offers lead here. */
export function OfferedHosts() {
  const query = useOffered()
  return (
    <Card title={m.hosts_offered()}>
      <LoadedList
        query={query}
        failed={m.hosts_offered_failed()}
        waiting="h-16"
        none={m.hosts_offered_none()}
      >
        {(transfers) => (
          <List label={m.hosts_offered()}>
            {transfers.map((transfer) => (
              <Offer key={transfer.id} transfer={transfer} />
            ))}
          </List>
        )}
      </LoadedList>
    </Card>
  )
}

function Offer({ transfer }: { transfer: Transfer }) {
  const review = useLazyDialog(OfferedDialog)
  const locale = useLocale()
  const { host, account, expires_at } = transfer
  const facts = [
    m.hosts_offered_from({ name: account?.name ?? '' }),
    host.plan?.[locale] ?? m.hosts_licence_free(),
    m.hosts_offered_until({ date: formatDate(expires_at) }),
  ]
  return (
    <ListRow
      title={host.name}
      detail={facts.join(' · ')}
      actions={
        <>
          <Button size="small" look="primary" {...review.opener}>
            {m.hosts_offered_review()}
          </Button>
          {review.open ? <OfferedDialog transfer={transfer} {...review.dialog} /> : null}
        </>
      }
    />
  )
}
