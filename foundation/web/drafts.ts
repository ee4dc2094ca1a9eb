import { keptTexts } from '#foundation/web/form/kept-texts.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'

/**
 * Texts that were typed and not sent yet, each stored under a name at each key, so that neither a reload nor a closed tab loses a word.
 * They are stored by account, so that the next person at this screen does not see them. Writing an empty text deletes the draft.
 */
export const drafts = {
  read: (name: string): string => read(keyOf(name)),
  write(name: string, text: string): void {
    if (text === '') localStorage.removeItem(keyOf(name))
    else tryToStore(keyOf(name), text)
  },
  /** Calls the listener with the new text when another tab changes the draft. Returns the function to unsubscribe. */
  onChange(name: string, listener: (text: string) => void): () => void {
    const hear = ({ key, newValue }: StorageEvent) => {
      if (key === keyOf(name)) listener(newValue ?? '')
    }
    window.addEventListener('storage', hear)
    return () => window.removeEventListener('storage', hear)
  },
  /** Deletes all drafts of the signed-in account, and what stands in its forms, so that no text stays behind after signing out. */
  forgetAll(): void {
    keptTexts.letGo()
    for (const key of Object.keys(localStorage))
      if (/^draft(-files)?:/.test(key) && key.split(':')[1] === owner()) localStorage.removeItem(key)
  },
}

/** Stores a text. A full or forbidden storage is ignored, so that people can go on typing. */
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
