import { storedSession } from '#foundation/web/api/stored-session.ts'

/**
 * Texts that were typed and not sent yet, each under a name, kept at each stroke: neither a reload nor a closed tab loses a word. Drafts
 * are kept by account: the next person at this screen does not see them. Writing an empty text forgets the draft.
 */
export const drafts = {
  read: (name: string): string => read(keyOf(name)),
  write(name: string, text: string): void {
    if (text === '') localStorage.removeItem(keyOf(name))
    else tryToStore(keyOf(name), text)
  },
  /** Calls the listener with the text to which another tab changes the draft; returns how to stop. */
  onChange(name: string, listener: (text: string) => void): () => void {
    const hear = ({ key, newValue }: StorageEvent) => {
      if (key === keyOf(name)) listener(newValue ?? '')
    }
    window.addEventListener('storage', hear)
    return () => window.removeEventListener('storage', hear)
  },
  /** Signing out leaves nothing half-written behind. */
  forgetAll(): void {
    for (const key of Object.keys(localStorage))
      if (/^draft(-files)?:/.test(key) && key.split(':')[1] === owner()) localStorage.removeItem(key)
  },
}

/** A full or forbidden storage must not keep anybody from writing. */
export function tryToStore(key: string, text: string): void {
  try {
    localStorage.setItem(key, text)
  } catch {
    // The text then lives only as long as the page.
  }
}

const owner = () => storedSession.user()?.id ?? ''
const keyOf = (name: string) => `draft:${owner()}:${name}`
const read = (key: string): string => localStorage.getItem(key) ?? ''
