import UserPlus from 'lucide-react/icons/user-plus'
import { Suspense } from 'react'
import { OfferedHosts } from '#features/hosts/web/hosts.ts'
import { settingsPaths } from '#features/paths.ts'
import type { Grant } from '#features/sharing/contract.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { useLazyDialog, type DialogProps } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { SettingsPage } from '#foundation/web/ui/settings-page.tsx'
import { Coming } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { AccountActivity } from './account-activity.tsx'
import { ActingPeople } from './acting-people.tsx'
import { EndGrant } from './end-grant.tsx'
import { roleName } from './role-text.ts'
import { useGrants } from './hooks.ts'
import { usedOfLimits } from './limits.tsx'
import { ReceivedActions } from './received-actions.tsx'

const InvitationDialog = lazyPart(() =>
  import('./invitation-dialog.tsx').then((file) => file.InvitationDialog),
)

const ChangeGrant = lazyPart<DialogProps & { grant: Grant }>(() =>
  import('./change-grant.tsx').then((file) => file.ChangeGrant),
)

/** Helpers of the account, and the accounts that the customer helps. Mails of invitations lead here. */
export function PeoplePage() {
  return (
    <SettingsPage {...settingsPaths} title={m.sharing_title()} description={m.sharing_text()}>
      <Given />
      <ActingPeople />
      <Received />
      <Suspense fallback={<Coming />}>
        <OfferedHosts />
      </Suspense>
      <AccountActivity />
    </SettingsPage>
  )
}

function Given() {
  const invite = useLazyDialog(InvitationDialog)
  return (
    <Card
      title={m.sharing_given()}
      actions={
        <Button icon={<UserPlus size={15} aria-hidden="true" />} {...invite.opener}>
          {m.sharing_invite()}
        </Button>
      }
    >
      <Grants side="given" none={m.sharing_given_none()} label={m.sharing_given()} />
      {invite.open ? <InvitationDialog {...invite.dialog} /> : null}
    </Card>
  )
}

function Received() {
  return (
    <Card title={m.sharing_received()}>
      <Grants side="received" none={m.sharing_received_none()} label={m.sharing_received()} />
    </Card>
  )
}

function Change({ grant }: { grant: Grant }) {
  const change = useLazyDialog(ChangeGrant)
  return (
    <>
      <Button size="small" {...change.opener}>
        {m.sharing_change()}
      </Button>
      {change.open ? <ChangeGrant grant={grant} {...change.dialog} /> : null}
    </>
  )
}

type GrantsProps = {
  side: 'given' | 'received'
  none: string
  label: string
}

function Grants({ side, none, label }: GrantsProps) {
  const query = useGrants(side)
  return (
    <LoadedList query={query} failed={m.sharing_failed()} waiting="h-16" none={none}>
      {(grants) => (
        <List label={label}>
          {grants.map((grant) => (
            <ListRow
              key={grant.id}
              title={grant.account?.name ?? grant.email}
              badge={
                grant.state === 'invited' ? <Badge tone="warning">{m.sharing_invited()}</Badge> : undefined
              }
              detail={factsOf(grant, side).join(' · ')}
              actions={
                side === 'given' ? (
                  <>
                    <Change grant={grant} />
                    <EndGrant grant={grant} side="given" />
                  </>
                ) : (
                  <ReceivedActions grant={grant} />
                )
              }
            />
          ))}
        </List>
      )}
    </LoadedList>
  )
}

const factsOf = (grant: Grant, side: string): string[] => {
  const { account, email, role, all_hosts } = grant
  const { needs_second_factor, may_pass_on, expires_at } = grant
  return [
    ...(side === 'given' && account && account.name !== email ? [email] : []),
    roleName(role),
    ...usedOfLimits(grant),
    all_hosts ? m.sharing_scope_all() : m.sharing_scope_some(),
    ...(needs_second_factor ? [m.sharing_needs_factor()] : []),
    ...(may_pass_on ? [m.sharing_passed_on()] : []),
    ...(expires_at === null ? [] : [m.sharing_expires({ date: formatDate(expires_at) })]),
  ]
}
