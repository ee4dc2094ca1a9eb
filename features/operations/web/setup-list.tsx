import CircleCheck from 'lucide-react/icons/circle-check'
import Circle from 'lucide-react/icons/circle'
import CircleMinus from 'lucide-react/icons/circle-minus'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { readSystem, waiveSetup, type System } from '#features/operations/contract.ts'
import { paths } from '#features/paths.ts'
import { useMay, useMayWork, useStaffMe } from '#features/team/web/team.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { Coming } from '#foundation/web/ui/skeleton.tsx'
import { useAct } from '#foundation/web/use-act.ts'
import { m } from '#texts/messages.js'
import { setupTexts } from '#features/operations/setup-texts.ts'

type Item = System['setup'][number]

/** The first steps above the first pages of staff, until all is done or not needed. Only those who may read System get them. */
export function SetupNotice() {
  const me = useStaffMe(true)
  const mayRead = useMay('system.read')
  const mayWork = useMayWork(true)
  const { data, error, isLoading } = useQuery({ ...queryFor(readSystem), enabled: mayWork && mayRead })
  if (!me.data || isLoading) return <Coming of={{ error: me.error ?? error }} />
  return data ? (
    <div className="mx-auto mb-6 w-full max-w-[70rem] empty:hidden print:hidden">
      <SetupList system={data} most={3} />
    </div>
  ) : null
}

/** The set-up list; with `most` only the next open items, and a link to all. Nothing once all is done or not needed. */
export function SetupList({ system: { setup, missing }, most }: { system: System; most?: number }) {
  const id = useId()
  const mayWaive = useMay('system.retry')
  const open = setup.filter(({ state }) => state === 'open')
  if (open.length === 0) return null
  const done = setup.length - open.length
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id={id} className="font-semibold">
          {m.operations_setup()}{' '}
          <span className="font-normal text-muted">
            {m.operations_setup_done({ done, all: setup.length })}
          </span>
        </h2>
        {most === undefined ? null : <TextLink to={paths.system()}>{m.operations_setup_all()}</TextLink>}
      </div>
      <List label={m.operations_setup()}>
        {(most === undefined ? setup : open.slice(0, most)).map((item) => (
          <SetupRow
            key={item.name}
            item={item}
            missing={item.name === 'seller' ? missing : []}
            mayWaive={mayWaive}
          />
        ))}
      </List>
    </section>
  )
}

function SetupRow({
  item,
  missing,
  mayWaive,
}: {
  item: Item
  missing: readonly string[]
  mayWaive: boolean
}) {
  const { name, state } = item
  const { title, text, link, settings } = setupTexts[name]
  const params = { name }
  const waive = useAct(async () => {
    const { status } = await call(waiveSetup, { params, body: { waived: state === 'open' } })
    if (status !== 204) toastError(m.operations_system_act_failed)
    refreshQueries(readSystem)
  })
  return (
    <ListRow
      icon={<State state={state} />}
      title={title()}
      detail={
        state === 'open' ? (
          <>
            <p>{text()}</p>
            {settings && missing.length === 0 ? (
              <p>{m.operations_setup_settings({ names: settings.join(', ') })}</p>
            ) : null}
            {missing.map((line) => (
              <p key={line} lang="en">
                {line}
              </p>
            ))}
          </>
        ) : undefined
      }
      actions={
        state === 'done' ? undefined : (
          <>
            {mayWaive ? (
              <Button size="small" look="quiet" pending={waive.pending} onClick={waive.run}>
                {state === 'open' ? m.operations_setup_waive() : m.operations_setup_take_up()}
              </Button>
            ) : null}
            {link && state === 'open' ? (
              <span className="self-center text-sm">
                <TextLink to={link.to}>{link.text()}</TextLink>
              </span>
            ) : null}
          </>
        )
      }
    />
  )
}

const icons = { done: CircleCheck, open: Circle, waived: CircleMinus }

function State({ state }: Pick<Item, 'state'>) {
  const Icon = icons[state]
  const names = {
    done: m.operations_setup_state_done,
    open: m.operations_setup_state_open,
    waived: m.operations_setup_state_waived,
  }
  return (
    <Icon
      size={18}
      role="img"
      aria-label={names[state]()}
      className={state === 'done' ? 'text-success-text' : undefined}
    />
  )
}
