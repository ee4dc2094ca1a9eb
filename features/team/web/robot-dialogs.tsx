import {
  createRobot,
  endRobot,
  giveRobotRoles,
  listRobots,
  type Robot,
  type RobotToken,
} from '#features/team/robot-contract.ts'
import { robotRoles } from '#features/team/rules.ts'
import { roleText } from '#features/team/texts.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { ActDialog } from '#foundation/web/form/act-dialog.tsx'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { EndToken, NewToken } from './robot-token-dialogs.tsx'
import { roleTexts } from './role-texts.ts'

export type RobotAct =
  | { act: 'token' | 'roles' | 'end'; robot: Robot }
  | { act: 'end token'; robot: Robot; token: RobotToken }

/** The dialog of an act on one robot. */
export function RobotDialog({ acting, ...dialog }: DialogProps & { acting: RobotAct }) {
  const { robot } = acting
  if (acting.act === 'end token') return <EndToken robot={robot} token={acting.token} {...dialog} />
  if (acting.act === 'token') return <NewToken robot={robot} {...dialog} />
  if (acting.act === 'roles') return <RobotRoles robot={robot} {...dialog} />
  return <EndRobot robot={robot} {...dialog} />
}

export function NewRobot(dialog: DialogProps) {
  return (
    <ActDialog
      {...dialog}
      title={m.team_robot_new()}
      description={m.team_robot_new_text()}
      act={m.team_robot_make()}
      submit={async (fields, send) => {
        const roles = rolesIn(fields)
        if (roles.length === 0) return noRole
        const body = { name: fields.text('name'), roles }
        const answer = await send(body, () => call(createRobot, { body }))
        if (!answer) return undefined
        refreshQueries(listRobots)
        if (answer.status !== 201) return answer
        toastSuccess(() => m.team_robot_made({ name: body.name }))
        return dialog.onClose()
      }}
    >
      <TextField
        name="name"
        label={m.team_robot_name()}
        hint={m.team_robot_name_hint()}
        most={100}
        autoComplete="off"
        required
      />
      <RoleBoxes held={[]} />
    </ActDialog>
  )
}

type Props = DialogProps & { robot: Robot }

function RobotRoles({ robot, ...dialog }: Props) {
  const { id: robotId, name } = robot
  return (
    <ActDialog
      {...dialog}
      about={robotId}
      title={m.team_change_title({ name })}
      act={m.team_save()}
      label={m.team_change()}
      submit={async (fields, send) => {
        const roles = rolesIn(fields)
        if (roles.length === 0) return noRole
        const body = { roles, reason: fields.text('reason') }
        const answer = await send(body, () => call(giveRobotRoles, { params: { robotId }, body }))
        if (!answer) return undefined
        refreshQueries(listRobots)
        if (answer.status !== 200) return answer
        toastSuccess(() => m.team_changed({ name }))
        return dialog.onClose()
      }}
    >
      <RoleBoxes held={robot.roles} />
      <Reason />
    </ActDialog>
  )
}

function EndRobot({ robot: { id: robotId, name }, ...dialog }: Props) {
  return (
    <ActDialog
      {...dialog}
      about={robotId}
      title={m.team_robot_end_title({ name })}
      description={m.team_robot_end_text()}
      act={m.team_robot_end()}
      look="danger"
      submit={async (fields, send) => {
        const query = { reason: fields.text('reason') }
        const answer = await send(query, () => call(endRobot, { params: { robotId }, query }))
        if (!answer) return undefined
        refreshQueries(listRobots)
        // A 404 means that it has ended meanwhile; the list shows that.
        if (answer.status !== 204 && answer.status !== 404) return answer
        toastSuccess(() => m.team_robot_ended({ name }))
        return dialog.onClose()
      }}
    >
      <Reason />
    </ActDialog>
  )
}

const rolesIn = (fields: FormFields) => robotRoles.filter((role) => fields.checked(role))

const noRole = { errors: [{ code: 'role_required', param: robotRoles[0] }] } as const

const RoleBoxes = ({ held }: { held: Robot['roles'] }) =>
  robotRoles.map((role) => (
    <CheckboxField
      key={role}
      name={role}
      label={roleText(role)}
      hint={roleTexts[role]()}
      defaultChecked={held.includes(role)}
    />
  ))

const Reason = () => (
  <TextField name="reason" label={m.team_reason()} hint={m.team_robot_reason_hint()} most={200} required />
)
