import { roleText } from '#features/team/texts.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listMembers, type StaffMember } from '#features/team/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { formatDateTime, relativeTime } from '#foundation/web/i18n/format.ts'
import { useTitle } from '#foundation/web/title.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { CardsSkeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { ChooseRoles } from './choose-roles.tsx'
import { Invitations } from './invitations.tsx'
import { InviteMember } from './invite-member.tsx'
import { RevokeAccess } from './revoke-access.tsx'
import { Robots } from './robots.tsx'
import { RolesExplained } from './roles-explained.tsx'
import { useMay } from './team.ts'

type Acting = { act: 'change' | 'revoke'; member: StaffMember }

/** The heights of the members, the robots, and the roles. */
const CARDS = [
  { phone: 219, wide: 139 },
  { phone: 176, wide: 80 },
  { phone: 2592, wide: 1775 },
]

/** The members of staff with their roles, and each role explained by what it may do. */
export function StaffTeamPage() {
  const query = useQuery(queryFor(listMembers))
  const [acting, setActing] = useState<Acting>()
  const [inviting, setInviting] = useState(false)
  const mayManage = useMay('team.manage')
  useTitle(m.team_title())
  const close = () => setActing(undefined)
  return (
    <Page
      title={m.team_title()}
      description={m.team_description()}
      actions={
        mayManage ? (
          <Button look="primary" onClick={() => setInviting(true)}>
            {m.team_invite()}
          </Button>
        ) : undefined
      }
    >
      <Loaded query={query} failed={m.team_load_failed()} waiting={<CardsSkeleton cards={CARDS} />}>
        {(data) => (
          <>
            <List label={m.team_members()}>
              {data.items.map((member) => (
                <MemberRow key={member.id} member={member} onAct={(act) => setActing({ act, member })} />
              ))}
            </List>
            <Invitations items={data.invitations} />
            <Robots />
            <RolesExplained permissions={data.permissions} />
          </>
        )}
      </Loaded>
      {inviting ? <InviteMember onClose={() => setInviting(false)} /> : null}
      {acting?.act === 'change' ? <ChooseRoles member={acting.member} onClose={close} /> : null}
      {acting?.act === 'revoke' ? <RevokeAccess member={acting.member} onClose={close} /> : null}
    </Page>
  )
}

const waitingText = (waiting: NonNullable<StaffMember['waiting_roles']>): string =>
  waiting.length > 0
    ? m.team_waits_roles({ roles: waiting.map((role) => roleText(role)).join(', ') })
    : m.team_waits_no_roles()

const introducedText = ({ by, until }: NonNullable<StaffMember['introduced']>): string =>
  m.team_introduced({ name: by.name, time: formatDateTime(until) })

type RowProps = { member: StaffMember; onAct: (act: Acting['act']) => void }

function MemberRow({ member, onAct }: RowProps) {
  const mayManage = useMay('team.manage')
  const isMe = member.id === storedSession.user()?.id
  const facts = [
    member.email,
    member.last_seen_at === null
      ? m.team_never_seen()
      : m.team_last_seen({ time: relativeTime(member.last_seen_at) }),
    m.team_open_tickets({ count: String(member.open_tickets) }),
    ...(member.waiting_roles ? [waitingText(member.waiting_roles)] : []),
    ...(member.introduced ? [introducedText(member.introduced)] : []),
  ]
  return (
    <ListRow
      title={member.name}
      badge={
        <>
          {member.roles.map((role) => (
            <Badge key={role} tone={role === 'owner' ? 'accent' : 'neutral'}>
              {roleText(role)}
            </Badge>
          ))}
          <Badge tone={member.two_factor ? 'success' : 'warning'}>
            {member.two_factor ? m.team_two_factor_on() : m.team_two_factor_off()}
          </Badge>
          {isMe ? <Badge>{m.team_you()}</Badge> : null}
          {member.waiting_roles ? <Badge tone="warning">{m.team_waits()}</Badge> : null}
        </>
      }
      detail={facts.join(' · ')}
      actions={
        mayManage && !isMe ? (
          <>
            <Button size="small" onClick={() => onAct('change')}>
              {m.team_change()}
            </Button>
            <Button size="small" onClick={() => onAct('revoke')}>
              {m.team_revoke()}
            </Button>
          </>
        ) : undefined
      }
    />
  )
}
