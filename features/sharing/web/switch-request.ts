const REQUESTED = 'hostdesk:switch-account'

/** Requests the dialog that switches accounts; a button in any component may call it. */
export const askToSwitch = (): void => void window.dispatchEvent(new Event(REQUESTED))

/** Calls `show` at each request. Returns a function that ends the subscription. */
export function onSwitchRequested(show: () => void): () => void {
  window.addEventListener(REQUESTED, show)
  return () => window.removeEventListener(REQUESTED, show)
}
