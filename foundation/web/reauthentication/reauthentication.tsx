import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import type { AnswerStatus } from '#foundation/web/api/answer.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import { ByCode, ByPasskey, ByPassword } from './proof-forms.tsx'
import { findFactors, findMethods, methodsRequested, type Method } from './methods.ts'

export type Reauthentication = {
  /** Asks for a proof of identity; resolves to true if it was given. Without `ways` all methods of the account are offered. */
  reauthenticate: (ways?: readonly Method[]) => Promise<boolean>
  /**
   * Sends a call. If the answer asks for a recent proof of identity, asks the person for it and sends again. Resolves to undefined
   * if the person does not give it.
   */
  withProof: <A extends AnswerStatus>(send: () => Promise<A>) => Promise<A | undefined>
  /** Rendered by the page, outside its forms. */
  dialog: ReactNode
}

type Asking = { ways: readonly Method[]; settle: (proven: boolean) => void }

/**
 * Asks for a proof of identity in a dialog, for actions that need a recent one (rule 20). The attack is somebody else at a
 * screen that was left signed in.
 */
export function useReauthentication(): Reauthentication {
  const [asking, setAsking] = useState<Asking>()

  const reauthenticate = useCallback(async (wanted?: readonly Method[]) => {
    const ways = wanted ?? (await findMethods())
    return new Promise<boolean>((resolve) => {
      const settle = (proven: boolean) => {
        setAsking(undefined)
        resolve(proven)
      }
      setAsking({ ways, settle })
    })
  }, [])

  const withProof = useCallback(
    async <A extends AnswerStatus>(send: () => Promise<A>): Promise<A | undefined> => {
      const answer = await send()
      const asked = answer.errors.find(({ code }) => code === 'reauthentication_required')
      const ways = methodsRequested(answer) ?? (asked?.param === 'code' ? await findFactors() : undefined)
      if (!ways && !asked) return answer
      return (await reauthenticate(ways)) ? send() : undefined
    },
    [reauthenticate],
  )

  const dialog = asking ? <AskForProof ways={asking.ways} settle={asking.settle} /> : null
  return { reauthenticate, withProof, dialog }
}

function AskForProof({ ways, settle }: Asking) {
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
