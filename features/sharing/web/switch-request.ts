const ASKED = 'hostdesk:switch-account'

/** Asks for the dialog that switches accounts, from wherever there is a button for it. */
export const askToSwitch = (): void => void window.dispatchEvent(new Event(ASKED))

/** Answers how to stop. */
export function onSwitchAsked(show: () => void): () => void {
  window.addEventListener(ASKED, show)
  return () => window.removeEventListener(ASKED, show)
}
