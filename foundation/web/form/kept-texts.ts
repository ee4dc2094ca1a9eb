import { onSignedInChange, storedSession } from '#foundation/web/api/stored-session.ts'
import { isRecord } from '#foundation/web/property.ts'

/** The texts of a form, by field. */
export type Texts = Record<string, string>

/**
 * Texts that were typed into forms when a session ended without its person, by form: for the same person, in this tab and for an hour.
 * Another person who signs in, and signing out by hand in any tab, delete them.
 */
export const keptTexts = {
  keep(owner: string, form: string, texts: Texts): void {
    if (!isLetGo) store(owner, { ...read(owner), [form]: { at_ms: Date.now(), texts } })
  },
  /** Returns the texts of a form, once. */
  take(owner: string, form: string): Texts | undefined {
    const { [form]: mine, ...others } = read(owner)
    if (mine) store(owner, others)
    return mine?.texts
  },
  /** Deletes all in every tab, and keeps nothing of the session that its person ends now. */
  letGo(): void {
    letGoHere()
    try {
      localStorage.setItem(LET_GO, String(Date.now()))
      localStorage.removeItem(LET_GO)
    } catch {
      // A forbidden storage keeps nothing in other tabs either.
    }
  },
}

type Forms = Record<string, { at_ms: number; texts: Texts }>

/** Returns what is kept for a person, and deletes the texts of another. */
function read(owner: string): Forms {
  try {
    const all: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}')
    if (isRecord(all) && all['owner'] === owner && isRecord(all['forms'])) return recent(all['forms'])
  } catch {
    // A text that cannot be read is not ours.
  }
  sessionStorage.removeItem(KEY)
  return {}
}

function recent(forms: Record<string, unknown>): Forms
function recent(forms: Record<string, unknown>): object {
  const isRecent = ([, form]: [string, unknown]) =>
    isRecord(form) && isRecord(form['texts']) && Date.now() - Number(form['at_ms']) < KEPT_ms
  return Object.fromEntries(Object.entries(forms).filter(isRecent))
}

function store(owner: string, forms: Forms): void {
  try {
    if (Object.keys(forms).length === 0) sessionStorage.removeItem(KEY)
    else sessionStorage.setItem(KEY, JSON.stringify({ owner, forms }))
  } catch {
    // A full or forbidden storage keeps nothing.
  }
}

function letGoHere(): void {
  isLetGo = true
  sessionStorage.removeItem(KEY)
}

const KEY = 'typed'
const LET_GO = 'typed_let_go'
/** An hour, like the page to return to: later another person may use the device. */
const KEPT_ms = 3_600_000
let isLetGo = false

window.addEventListener('storage', ({ key, newValue }) => {
  if (key === LET_GO && newValue !== null) letGoHere()
})
onSignedInChange((signedIn) => {
  if (!signedIn) return
  isLetGo = false
  const owner = storedSession.user()?.id ?? ''
  store(owner, read(owner))
})
