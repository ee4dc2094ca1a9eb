import { paths } from '#features/paths.ts'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { SyntheticEvent } from 'react'
import { linkNames } from './link-names.ts'
import { useGo, useQueryValue } from '#foundation/web/navigation.tsx'
import { AuthFrame, Moved } from './auth-frame.tsx'
import { SignIn } from './sign-in.tsx'
import { pendingStep, type Step, type TakeStep, type View } from './step.ts'

// Most visits only sign in: the other views load when the page has settled, or at once when one is requested.
const loadOtherViews = () => import('./other-views.tsx').then((file) => ({ default: file.OtherViews }))
const OtherViews = lazy(loadOtherViews)

/**
 * Signing in (rows ): one page whose view is part of the address, so that 'back', reload and the
 * links of mails work. The email address is typed once and kept from view to view.
 */
export function AuthPage() {
  const go = useGo()
  const view = useView()
  const moved = useMoved(view.name)
  const [email, setEmail] = useState('')
  const [step, setStep] = useState<Step>()
  useEffect(() => {
    const soon = setTimeout(() => void loadOtherViews().catch(() => {}), SETTLED_ms)
    return () => clearTimeout(soon)
  }, [])

  const keepEmail = ({ target }: SyntheticEvent) => {
    if (target instanceof HTMLInputElement && target.name === 'email') setEmail(target.value)
  }
  const takeStep: TakeStep = (body) => {
    const next = pendingStep(body)
    if (!next) return { errors: [{ code: 'account_inactive' }] }
    setStep(next)
    void go(
      next.id === 'verify_email' ? paths.signIn({ view: 'check-mail' }) : paths.signIn({ view: 'code' }),
    )
    return undefined
  }

  return (
    <AuthFrame onInput={keepEmail}>
      <Moved value={moved}>
        {view.name === 'login' ? (
          <SignIn email={email} takeStep={takeStep} />
        ) : (
          <Suspense fallback={null}>
            <OtherViews view={view} email={email} onEmail={setEmail} step={step} takeStep={takeStep} />
          </Suspense>
        )}
      </Moved>
    </AuthFrame>
  )
}

const SETTLED_ms = 1500

function useView(): View {
  const verify = useQueryValue(linkNames.verify)
  const reset = useQueryValue(linkNames.reset)
  const invite = useQueryValue(linkNames.invite)
  const name = useQueryValue('view')
  if (verify !== undefined) return { name: 'verify', key: verify }
  if (reset !== undefined) return { name: 'reset', key: reset }
  if (invite !== undefined && name === undefined) return { name: 'invited', key: invite }
  return { name: name !== undefined && otherViews.has(name) ? name : 'login', key: invite ?? '' }
}

const otherViews: ReadonlySet<string> = new Set(['signup', 'check-mail', 'forgotten', 'code'])

/** Returns a ref that is true once the view has changed since the page was opened. */
function useMoved(view: string): { current: boolean } {
  const first = useRef(view)
  const moved = useRef(false)
  useEffect(() => {
    if (view !== first.current) moved.current = true
  }, [view])
  return moved
}
