import { useState } from 'react'
import type { AutoTopUp } from '#features/auto-top-ups/contract.ts'
import { stateText } from '#features/auto-top-ups/texts.ts'
import { actedFor, onlyReads } from '#foundation/web/acting.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'
import { useAutoTopUp, useMethods } from './hooks.ts'
import { Runs } from './runs.tsx'
import { Held, OpenRun, Terms } from './card-parts.tsx'

const AutoTopUpDialog = lazyPart(() =>
  import('./auto-top-up-dialog.tsx').then((file) => file.AutoTopUpDialog),
)
const EndDialog = lazyPart(() => import('./end-dialog.tsx').then((file) => file.EndDialog))

/** The automatic top-up of one's own account: what is charged and when, and the charge that is on its way. */
export function AutoTopUpCard() {
  const query = useAutoTopUp()
  const methods = useMethods()
  if (actedFor()) return null
  const isOffered = (methods.data?.offered.length ?? 0) > 0
  return (
    <Loaded query={query} failed={m.auto_top_ups_fetch_failed()} waiting={null}>
      {(standing) =>
        standing.state === 'off' && !isOffered ? null : (
          <Standing standing={standing} hasMethod={(methods.data?.items.length ?? 0) > 0} />
        )
      }
    </Loaded>
  )
}

function Standing({ standing, hasMethod }: { standing: AutoTopUp; hasMethod: boolean }) {
  const [shown, setShown] = useState(false)
  const choose = useLazyDialog(AutoTopUpDialog)
  const end = useLazyDialog(EndDialog)
  const { state } = standing
  const isOff = state === 'off'
  const acts = onlyReads() ? null : isOff ? (
    hasMethod ? (
      <Button {...choose.opener}>{m.auto_top_ups_turn_on()}</Button>
    ) : null
  ) : (
    <>
      <Button {...choose.opener}>
        {state === 'paused' ? m.auto_top_ups_resume() : m.auto_top_ups_change()}
      </Button>
      <Button {...end.opener}>{m.auto_top_ups_turn_off()}</Button>
    </>
  )
  return (
    <>
      <Card
        title={
          <span className="inline-flex flex-wrap items-center gap-2">
            {m.auto_top_ups_title()} <State state={state} />
          </span>
        }
        description={isOff ? m.auto_top_ups_off_text() : undefined}
        actions={acts}
        footer={
          <Button size="small" aria-expanded={shown} onClick={() => setShown(!shown)}>
            {shown ? m.auto_top_ups_runs_hide() : m.auto_top_ups_runs_show()}
          </Button>
        }
      >
        {isOff && hasMethod && !standing.open_run && !shown ? null : (
          <div className="flex flex-col gap-4 text-sm">
            {isOff ? (
              hasMethod ? null : (
                <p className="text-muted">{m.auto_top_ups_no_method()}</p>
              )
            ) : (
              <Terms standing={standing} />
            )}
            <Held standing={standing} />
            <OpenRun standing={standing} />
            {shown ? <Runs /> : null}
          </div>
        )}
      </Card>
      {choose.open ? <AutoTopUpDialog standing={standing} {...choose.dialog} /> : null}
      {end.open ? <EndDialog {...end.dialog} /> : null}
    </>
  )
}

const tones = { active: 'success', paused: 'warning', off: 'neutral' } as const

const State = ({ state }: Pick<AutoTopUp, 'state'>) => <Badge tone={tones[state]}>{stateText(state)}</Badge>
