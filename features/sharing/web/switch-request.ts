const REQUESTED = 'hostdesk:switch-account'

/** Asks for the dialog that switches accounts, from wherever there is a button for it. */
export const askToSwitch = (): void => void window.dispatchEvent(new Event(REQUESTED))

/** Answers how to stop. */
export function onSwitchRequested(show: () => void): () => void {
  window.addEventListener(REQUESTED, show)
  return () => window.removeEventListener(REQUESTED, show)
}
