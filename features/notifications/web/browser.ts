import type { Push } from '#features/notifications/contract.ts'

const WORKER = '/account/push/worker.js'
const SCOPE = '/account/push/'

/** `unable`: it cannot show notifications, or only once it is installed, as on an iPhone. `denied`: its person forbade them to this site. */
export type BrowserState = 'unable' | 'denied' | 'off' | 'on'

/** Returns whether this browser is told, by what it knows itself and what the server knows of it. */
export async function stateOf({ endpoints }: Push): Promise<BrowserState> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'unable'
  if (Notification.permission === 'denied') return 'denied'
  const endpoint = await ownEndpoint()
  return endpoint !== undefined && endpoints.includes(endpoint) ? 'on' : 'off'
}

/** The address of this browser at its push service, where it is subscribed. */
export async function ownEndpoint(): Promise<string | undefined> {
  const worker = await navigator.serviceWorker.getRegistration(SCOPE)
  return (await worker?.pushManager.getSubscription())?.endpoint
}

type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } }

/** Asks the person, in the press itself, and subscribes the browser. Undefined where they or the browser refuse. */
export async function subscribeBrowser(public_key: string): Promise<Subscription | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined
  const worker = await navigator.serviceWorker.register(scriptUrl(), { scope: SCOPE })
  const known = await worker.pushManager.getSubscription()
  // Another installation at this address, or a restored one, had another key.
  if (known && !isOf(known, public_key)) await known.unsubscribe()
  const asked = { userVisibleOnly: true, applicationServerKey: public_key }
  const { endpoint, keys } = (await worker.pushManager.subscribe(asked)).toJSON()
  const { p256dh, auth } = keys ?? {}
  return endpoint && p256dh && auth ? { endpoint, keys: { p256dh, auth } } : undefined
}

/** Ends the subscription of this browser. */
export async function unsubscribeBrowser(): Promise<void> {
  const worker = await navigator.serviceWorker.getRegistration(SCOPE)
  await (await worker?.pushManager.getSubscription())?.unsubscribe()
}

function isOf({ options }: PushSubscription, public_key: string): boolean {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer())
  const text = btoa(String.fromCodePoint(...bytes))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === public_key
}

type Policy = { createScriptURL: (url: string) => string }
type Policies = { createPolicy: (name: string, rules: Policy) => Policy }

declare global {
  interface Window {
    trustedTypes?: Policies
  }
}

let policy: Policy | undefined

/** The policy of the pages lets this one name make the address of a worker, and it makes this one address only. */
function scriptUrl(): string {
  policy ??= window.trustedTypes?.createPolicy('push-worker', { createScriptURL: () => WORKER })
  return policy?.createScriptURL('') ?? WORKER
}
