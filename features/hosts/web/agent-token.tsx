import { useState } from 'react'
import { makeAgentToken, type Host } from '#features/hosts/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { ShownOnce } from '#foundation/web/ui/shown-once.tsx'
import { m } from '#texts/messages.js'
import { putHost } from './hooks.ts'

/** Makes a token for the agent, after a warning if one is in use, and shows it only here, in the line that installs it. */
export function AgentToken({ host, open, onClose }: DialogProps & { host: Host }) {
  const [token, setToken] = useState<string>()
  // The state when the dialog opened: the dialog must not warn of the token that it has just made.
  const [renews] = useState(host.has_agent_token)
  const title = renews ? m.hosts_token_renew() : m.hosts_connect()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      wide={token !== undefined}
      title={title}
      // The token is shown this once: no stray key or click takes it away.
      dismissible={token === undefined}
    >
      {token === undefined ? (
        <Ask host={host} renews={renews} onMade={setToken} onClose={onClose} />
      ) : (
        <Install token={token} onClose={onClose} />
      )}
    </Dialog>
  )
}

type AskProps = { host: Host; renews: boolean; onMade: (token: string) => void; onClose: () => void }

function Ask({ host, renews, onMade, onClose }: AskProps) {
  const form = useForm(async () => {
    const answer = await call(makeAgentToken, { params: { hostId: host.id } })
    if (answer.status !== 201) return answer
    putHost(answer, { ...host, has_agent_token: true })
    onMade(answer.body.token)
    return undefined
  })
  return (
    <DialogForm form={form} act={m.hosts_token_make()} look={renews ? 'danger' : 'primary'} onClose={onClose}>
      {renews ? (
        <Alert tone="warning">{m.hosts_token_renew_text()}</Alert>
      ) : (
        <p className="text-sm text-muted">{m.hosts_token_text()}</p>
      )}
    </DialogForm>
  )
}

function Install({ token, onClose }: { token: string; onClose: () => void }) {
  // The token goes by standard input: on the command line every user of the machine could read it in the list of processes.
  // A download that fails ends the line: an empty script would succeed.
  const line = `script=$(curl -fsSL ${window.location.origin}/agent/install.sh) && printf %s ${token} | sudo sh -c "$script"`
  return (
    <ShownOnce
      lines={[
        { label: m.hosts_install_line(), text: line },
        { label: m.hosts_token(), text: token },
      ]}
      warning={m.hosts_token_once()}
      kept={m.hosts_token_kept()}
      onClose={onClose}
    >
      {m.hosts_install_text()}
    </ShownOnce>
  )
}
