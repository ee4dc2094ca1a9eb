import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { Suspense, useId, useState } from 'react'
import { listRobots, type Robot, type RobotToken } from '#features/team/robot-contract.ts'
import { roleText } from '#features/team/texts.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { formatDate, relativeTime } from '#foundation/web/i18n/format.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'
import type { RobotAct } from './robot-dialogs.tsx'
import { useMay } from './team.ts'

const NewRobot = lazyPart(() => import('./robot-dialogs.tsx').then((file) => file.NewRobot))
const RobotDialog = lazyPart(() => import('./robot-dialogs.tsx').then((file) => file.RobotDialog))

/** The robots of the team, each with its roles and tokens; owners make and end them. */
export function Robots() {
  const id = useId()
  const query = useQuery(queryFor(listRobots))
  const mayManage = useMay('team.manage')
  const made = useLazyDialog(NewRobot)
  const [acting, setActing] = useState<RobotAct>()
  const close = () => setActing(undefined)
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2 id={id} className="font-semibold">
            {m.team_robots()}
          </h2>
          <p className="mt-1 text-sm text-muted">{m.team_robots_text()}</p>
        </div>
        {mayManage ? (
          <Button icon={<Plus size={15} aria-hidden="true" />} {...made.opener}>
            {m.team_robot_new()}
          </Button>
        ) : null}
      </div>
      <LoadedList query={query} failed={m.team_robots_failed()} waiting="h-16" none={m.team_robots_none()}>
        {(robots) => robots.map((robot) => <RobotCard key={robot.id} robot={robot} onAct={setActing} />)}
      </LoadedList>
      {made.open ? <NewRobot {...made.dialog} /> : null}
      <Suspense fallback={null}>
        {acting ? <RobotDialog acting={acting} open onClose={close} /> : null}
      </Suspense>
    </section>
  )
}

type CardProps = { robot: Robot; onAct: (act: RobotAct) => void }

function RobotCard({ robot, onAct }: CardProps) {
  const mayManage = useMay('team.manage')
  const { name, roles, made_by, tokens } = robot
  return (
    <Card
      title={name}
      actions={
        mayManage ? (
          <>
            <Button size="small" onClick={() => onAct({ act: 'token', robot })}>
              {m.team_robot_token_new()}
            </Button>
            <Button size="small" onClick={() => onAct({ act: 'roles', robot })}>
              {m.team_change()}
            </Button>
            <Button size="small" onClick={() => onAct({ act: 'end', robot })}>
              {m.team_robot_end()}
            </Button>
          </>
        ) : undefined
      }
    >
      <div className="flex flex-wrap items-center gap-2 text-sm text-muted">
        {roles.map((role) => (
          <Badge key={role}>{roleText(role)}</Badge>
        ))}
        <span>{made_by === null ? m.team_robot_by_command() : m.team_robot_by({ name: made_by.name })}</span>
      </div>
      {tokens.length === 0 ? (
        <p className="mt-3 text-sm text-muted">{m.team_robot_no_tokens()}</p>
      ) : (
        <div className="mt-3">
          <List label={m.team_robot_tokens({ name })}>
            {tokens.map((token) => (
              <ListRow
                key={token.id}
                title={token.name}
                badge={<code className="font-mono text-xs text-muted">{token.hint}</code>}
                detail={factsOf(token).join(' · ')}
                actions={
                  mayManage ? (
                    <Button size="small" onClick={() => onAct({ act: 'end token', robot, token })}>
                      {m.team_robot_end()}
                    </Button>
                  ) : undefined
                }
              />
            ))}
          </List>
        </div>
      )}
    </Card>
  )
}

/** The maker, the use and the end of a token, each in a few words. */
const factsOf = ({ made_by, last_used_at, last_used_ip, ends_at }: RobotToken): string[] => [
  made_by === null ? m.team_robot_by_command() : m.team_robot_by({ name: made_by.name }),
  last_used_at === null
    ? m.team_robot_never_used()
    : m.team_robot_used({ time: relativeTime(last_used_at), address: last_used_ip ?? '' }),
  m.team_robot_ends({ date: formatDate(ends_at) }),
]
