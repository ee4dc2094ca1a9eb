import { useSyncExternalStore } from 'react'
import { listenersOf } from '#foundation/web/listeners.ts'

export const themes = ['light', 'dark', 'system'] as const
export type Theme = (typeof themes)[number]

/** The stored choice (row G-02); without one the device decides. */
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
 * Puts the theme on the document and its colour on the browser's own frame. `public/theme.js` does the same before
 * the first paint, so that nothing flashes; this keeps it true afterwards.
 */
export function applyTheme(): void {
  const chosen = chosenTheme()
  const dark = chosen === 'dark' || (chosen === 'system' && device.matches)
  document.documentElement.dataset['theme'] = dark ? 'dark' : 'light'
  document.querySelector('meta[name=theme-color]')?.setAttribute('content', dark ? '#000' : '#fff')
  listeners.notify()
}

/** Subscribes to colour changes, by a choice or by the device: for what is drawn by hand. Returns how to stop. */
export const onThemeChange = (listener: () => void): (() => void) => listeners.add(listener)

const KEY = 'theme'
const listeners = listenersOf()
const device = window.matchMedia('(prefers-color-scheme: dark)')

device.addEventListener('change', applyTheme)
window.addEventListener('storage', (event) => {
  if (event.key === KEY) applyTheme()
})
