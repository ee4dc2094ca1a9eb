import { Suspense, useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import type { AnswerStatus } from '#foundation/web/api/answer.ts'
import { dialogFailed } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { findFactors, findMethods, methodsRequested, type Asking, type Method } from './methods.ts'

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

/** Few acts need a proof, so no page waits for the forms of one. */
const AskForProof = lazyPart(() => import('./ask-for-proof.tsx').then((file) => file.AskForProof))

/**
 * Asks for a proof of identity in a dialog, for actions that need a recent one (rule 20). The attack is somebody else at a
 * screen that was left signed in.
 */
export function useReauthentication(): Reauthentication {
  const [asking, setAsking] = useState<Asking>()

  const reauthenticate = useCallback(async (wanted?: readonly Method[]) => {
    const loading = AskForProof.preload().then(
      () => true,
      () => false,
    )
    const ways = wanted ?? (await findMethods())
    if (!(await loading)) {
      dialogFailed()
      return false
    }
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

  const dialog = asking ? (
    <Suspense>
      <AskForProof ways={asking.ways} settle={asking.settle} />
    </Suspense>
  ) : null
  return { reauthenticate, withProof, dialog }
}
