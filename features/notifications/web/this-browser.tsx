import { useQuery } from '@tanstack/react-query'
import { getPush, subscribePush, unsubscribePush } from '#features/notifications/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryClient, queryFor } from '#foundation/web/api/query.ts'
import { toast, toastError } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { useAct } from '#foundation/web/use-act.ts'
import { m } from '#texts/messages.js'
import { ownEndpoint, stateOf, subscribeBrowser, unsubscribeBrowser, type BrowserState } from './browser.ts'

const push = queryFor(getPush)
const STATE = ['notifications of this browser']

/** The state of this browser, which the server and the browser know together. */
function useBrowserState() {
  return useQuery({
    queryKey: STATE,
    queryFn: async () => stateOf(await queryClient.query({ ...push, staleTime: 0 })),
    staleTime: 0,
  })
}

const texts: Readonly<Record<BrowserState, () => string>> = {
  unable: m.notifications_browser_unable,
  denied: m.notifications_browser_denied,
  off: m.notifications_browser_off,
  on: m.notifications_browser_on,
}

/** The state of this browser in words, with a button: it asks for the permission, which no page does by itself. */
export function ThisBrowser() {
  const query = useBrowserState()
  const turn = useAct(async (on: boolean) => {
    try {
      await (on ? switchOn() : switchOff())
    } catch {
      toastError(() => m.notifications_browser_failed())
    }
    await queryClient.invalidateQueries({ queryKey: STATE })
  })
  return (
    <Loaded query={query} failed={m.notifications_choices_failed()} waiting="h-12">
      {(state) => (
        <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
          <p role="status" className="min-w-0 flex-1">
            {texts[state]()}
          </p>
          {state === 'on' || state === 'off' ? (
            <Button size="small" pending={turn.pending} onClick={() => turn.run(state === 'off')}>
              {state === 'on' ? m.notifications_browser_end() : m.notifications_browser_begin()}
            </Button>
          ) : null}
        </div>
      )}
    </Loaded>
  )
}

async function switchOn(): Promise<void> {
  const { public_key } = await queryClient.query(push)
  const subscription = await subscribeBrowser(public_key)
  if (!subscription) {
    // A person who forbade it reads so in the state of the browser; one who closed the question sees nothing change.
    if (Notification.permission !== 'denied')
      toast({ type: 'warning', message: m.notifications_browser_unanswered })
    return
  }
  const answer = await call(subscribePush, { body: subscription })
  if (answer.status !== 200) toastError(() => m.notifications_browser_failed(), answer)
}

async function switchOff(): Promise<void> {
  const endpoint = await ownEndpoint()
  await unsubscribeBrowser()
  if (endpoint !== undefined) await call(unsubscribePush, { body: { endpoint } })
}
