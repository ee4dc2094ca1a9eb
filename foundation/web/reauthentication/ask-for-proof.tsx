import { useState } from 'react'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import type { Asking, Method } from './methods.ts'
import { ByCode, ByPasskey, ByPassword } from './proof-forms.tsx'

/** The dialog that asks for a proof of identity, in one of the ways. */
export function AskForProof({ ways, settle }: Asking) {
  const [chosen, setChosen] = useState<Method>()
  // The server never asks an account without any method. If the list of methods could not be loaded, the password is asked for.
  const way = chosen ?? ways[0] ?? 'password'
  const Proof = PROOFS[way]
  return (
    // Each way of proof is a new dialog (`key`), so that its field gets the focus.
    <Dialog
      key={way}
      open
      onClose={() => settle(false)}
      title={m.reauthentication_title()}
      description={m.reauthentication_text()}
    >
      <Proof onProven={() => settle(true)} />
      {ways.length > 1 ? (
        <div className="mt-4 flex flex-wrap gap-2 border-t border-line pt-3">
          {ways
            .filter((other) => other !== way)
            .map((other) => (
              <Button key={other} look="quiet" size="small" onClick={() => setChosen(other)}>
                {NAMES[other]()}
              </Button>
            ))}
        </div>
      ) : null}
    </Dialog>
  )
}

const PROOFS = { password: ByPassword, code: ByCode, passkey: ByPasskey } as const

const NAMES = {
  password: m.reauthentication_use_password,
  code: m.reauthentication_use_code,
  passkey: m.reauthentication_use_passkey,
} as const
