import { useSyncExternalStore } from 'react'
import { listenersOf } from '#foundation/web/listeners.ts'

export const themes = ['light', 'dark', 'system'] as const
type Theme = (typeof themes)[number]

/** Returns the stored choice (row G-02), or `system` without one: then the device decides. */
export function chosenTheme(): Theme {
  const stored = localStorage.getItem(KEY)
  return themes.find((theme) => theme === stored) ?? 'system'
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme)
  applyTheme()
}

export const useTheme = (): Theme => useSyncExternalStore(listeners.add, chosenTheme)

/**
 * Sets the theme of the document and the colour of the browser's own bar. `app/web/theme.js` does the same before
 * the first paint, so that nothing flashes; this function does it after each change.
 */
export function applyTheme(): void {
  const chosen = chosenTheme()
  const dark = chosen === 'dark' || (chosen === 'system' && device.matches)
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light'
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', dark ? '#000' : '#fff')
  listeners.notify()
}

/** Subscribes to changes of the theme, for drawings that take colours by script. Returns the function to unsubscribe. */
export const onThemeChange = (listener: () => void): (() => void) => listeners.add(listener)

const KEY = 'theme'
const listeners = listenersOf()
const device = window.matchMedia('(prefers-color-scheme: dark)')

device.addEventListener('change', applyTheme)
window.addEventListener('storage', (event) => {
  if (event.key === KEY) applyTheme()
})
