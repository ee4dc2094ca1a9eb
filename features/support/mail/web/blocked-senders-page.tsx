import MailX from 'lucide-react/icons/mail-x'
import type { BlockedSender } from '#features/support/mail/contract.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { useTitle } from '#foundation/web/title.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { useAct } from '#foundation/web/use-act.ts'
import { m } from '#texts/messages.js'
import { unblock, useBlockedSenders } from './hooks.ts'
import { MailTabs } from './mail-tabs.tsx'

/** The senders whose mails are dropped, with who blocked them, and the way to lift a block. */
export function BlockedSendersPage() {
  useTitle(m.mail_in_blocks())
  const pages = useBlockedSenders()
  return (
    <Page title={m.mail_in_blocks()} description={m.mail_in_blocks_text()}>
      <MailTabs current="blocked" />
      <LoadedList
        query={pages}
        failed={m.mail_in_blocks_failed()}
        none={
          <EmptyState icon={<MailX size={20} aria-hidden="true" />} title={m.mail_in_blocks_none()}>
            {m.mail_in_blocks_none_text()}
          </EmptyState>
        }
      >
        {(senders) => (
          <List label={m.mail_in_blocks()}>
            {senders.map((sender) => (
              <Sender key={sender.email} sender={sender} />
            ))}
          </List>
        )}
      </LoadedList>
    </Page>
  )
}

function Sender({ sender: { email, blocked_at, blocked_by } }: { sender: BlockedSender }) {
  const lift = useAct(async () => {
    const answer = await unblock(email)
    if (answer.status === 204) toastSuccess(m.mail_in_unblocked)
    else toastError(m.mail_in_act_failed, answer)
  })
  const date = formatDateTime(blocked_at)
  return (
    <ListRow
      title={<bdi>{email}</bdi>}
      detail={
        blocked_by === null
          ? m.mail_in_blocked_on({ date })
          : m.mail_in_blocked_by({ date, name: blocked_by.name })
      }
      actions={
        <Button size="small" pending={lift.pending} onClick={lift.run}>
          {m.mail_in_unblock()}
        </Button>
      }
    />
  )
}
