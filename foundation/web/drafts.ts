import { storedSession } from '#foundation/web/api/stored-session.ts'

/**
 * Text that was typed and not sent yet, under a name, kept at each stroke: neither a reload nor a closed tab costs a word. By account:
 * the next person at this screen does not see it. Empty text forgets it.
 */
export const drafts = {
  read: (name: string): string => read(keyOf(name)),
  write(name: string, text: string): void {
    if (text === '') localStorage.removeItem(keyOf(name))
    else tryToStore(keyOf(name), text)
  },
  /** Called with what another tab makes of it. */
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
    // Then it lives as long as the page.
  }
}

const owner = () => storedSession.user()?.id ?? ''
const keyOf = (name: string) => `draft:${owner()}:${name}`
const read = (key: string): string => localStorage.getItem(key) ?? ''
