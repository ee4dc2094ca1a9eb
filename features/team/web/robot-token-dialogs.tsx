import { useState } from 'react'
import { TOKEN_DAYS } from '#features/sharing/rules.ts'
import { TokenSecret } from '#features/sharing/web/sharing.ts'
import {
  createRobotToken,
  endRobotToken,
  listRobots,
  type Robot,
  type RobotToken,
} from '#features/team/robot-contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { ActDialog } from '#foundation/web/form/act-dialog.tsx'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

type Props = DialogProps & { robot: Robot }

export function EndToken({ robot, token, ...dialog }: Props & { token: RobotToken }) {
  const params = { robotId: robot.id, tokenId: token.id }
  return (
    <ActDialog
      {...dialog}
      title={m.team_robot_token_end_title({ name: token.name })}
      description={m.team_robot_token_end_text({ name: robot.name })}
      act={m.team_robot_end()}
      look="danger"
      submit={async (_fields, send) => {
        const answer = await send(params, () => call(endRobotToken, { params }))
        if (!answer) return undefined
        refreshQueries(listRobots)
        // A 404 means that it has ended meanwhile; the list shows that.
        if (answer.status !== 204 && answer.status !== 404) return answer
        toastSuccess(m.team_robot_token_ended)
        return dialog.onClose()
      }}
    />
  )
}

/** Makes a token, and shows its secret only here, with a line that tries it. */
export function NewToken({ robot: { id: robotId, name: robot }, open, onClose }: Props) {
  const [secret, setSecret] = useState<string>()
  if (secret !== undefined)
    return (
      // The secret is shown this once: no stray key or click takes it away.
      <Dialog
        open={open}
        onClose={onClose}
        wide
        title={m.team_robot_token_title({ name: robot })}
        dismissible={false}
      >
        <TokenSecret secret={secret} path="/api/staff/me/" onClose={onClose} />
      </Dialog>
    )
  return (
    <ActDialog
      open={open}
      onClose={onClose}
      about={robotId}
      title={m.team_robot_token_title({ name: robot })}
      description={m.team_robot_token_text()}
      act={m.team_robot_token_make()}
      submit={async (fields, send) => {
        const ends = TOKEN_DAYS.find((one) => one === fields.text('ends')) ?? '90'
        const body = { name: fields.text('name'), ends }
        const answer = await send(body, () => call(createRobotToken, { params: { robotId }, body }))
        if (!answer) return undefined
        refreshQueries(listRobots)
        if (answer.status !== 201) return answer
        return setSecret(answer.body.secret)
      }}
    >
      <TextField
        name="name"
        label={m.team_robot_name()}
        hint={m.team_robot_token_name_hint()}
        most={100}
        autoComplete="off"
        required
      />
      <SelectField
        name="ends"
        label={m.team_robot_token_end()}
        defaultValue="90"
        options={TOKEN_DAYS.map((days) => ({ value: days, label: m.team_robot_days({ days }) }))}
      />
    </ActDialog>
  )
}
