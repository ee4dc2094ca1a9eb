import { useSyncExternalStore } from 'react'
import { listenersOf } from '#foundation/web/listeners.ts'
import { baseLocale, isLocale, locales, overwriteGetLocale } from '#texts/runtime.js'
import type { Locale } from '#foundation/locale.ts'

export { locales }
export type { Locale }

export const currentLocale = (): Locale => locale

/** Stores the choice and renders every localized component again, in place. */
export function setLocale(next: Locale): void {
  localStorage.setItem(KEY, next)
  apply(next)
}

/** The present locale; the component renders again when it changes. */
export function useLocale(): Locale {
  return useSyncExternalStore(listeners.add, currentLocale)
}

/** True if a person has chosen the language on this device; false if it is the browser's. */
export const hasChosenLocale = (): boolean => storedLocale() !== undefined

/** Reads the locale again: the stored one, else the browser's, else the default (row G-01). */
export function startLocale(): void {
  apply(storedLocale() ?? browserLocale() ?? baseLocale)
}

const KEY = 'locale'
const listeners = listenersOf()
let locale: Locale = storedLocale() ?? browserLocale() ?? baseLocale

overwriteGetLocale(currentLocale)
document.documentElement.lang = locale

// This tab follows a change of the language in another tab.
window.addEventListener('storage', (event) => {
  if (event.key === KEY && isLocale(event.newValue)) apply(event.newValue)
})

function apply(next: Locale): void {
  locale = next
  document.documentElement.lang = next
  listeners.notify()
}

function storedLocale(): Locale | undefined {
  const stored = localStorage.getItem(KEY)
  return isLocale(stored) ? stored : undefined
}

/** Returns the first of the browser's languages for which there are texts; `de-AT` counts as `de`. */
function browserLocale(): Locale | undefined {
  return navigator.languages.map((language) => language.slice(0, 2).toLowerCase()).find(isLocale)
}
