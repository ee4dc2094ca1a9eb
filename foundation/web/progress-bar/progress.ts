import { useSyncExternalStore } from 'react'
import { listenersOf } from '#foundation/web/listeners.ts'

/** The state of the bar. `percent` is from 0 to 100; the phases are `hidden` → `running` → `fading` → `hidden`. */
type Progress = { phase: 'hidden' | 'running' | 'fading'; percent: number; failed: boolean }

/** Starts the bar, which is shown only if the navigation takes longer than 200 ms (row T-08). */
export function startProgress(): void {
  stopTimers()
  // A refusal before this navigation does not turn its bar red.
  set({ phase: 'hidden', percent: 0, failed: false })
  timers.push(setTimeout(show, THROTTLE_ms))
}

/** Moves the bar to its end and fades it out. */
export function finishProgress(): void {
  stopTimers()
  if (progress.phase !== 'running') return
  set({ phase: 'fading', percent: 100 })
  timers.push(setTimeout(() => set({ phase: 'hidden', percent: 0 }), FADE_ms))
}

/** Turns the bar red: a call was answered with 4xx or 5xx. */
export const failProgress = (): void => set({ failed: true })

/** Makes the bar accent-coloured again; called after each navigation (row R-08). */
export const clearProgressError = (): void => set({ failed: false })

export const useProgress = (): Progress => useSyncExternalStore(listeners.add, currentProgress)

export const currentProgress = (): Progress => progress

const THROTTLE_ms = 200
const TICK_ms = 100
const DURATION_ms = 5000
const FADE_ms = 500

let progress: Progress = { phase: 'hidden', percent: 0, failed: false }
const timers: ReturnType<typeof setTimeout>[] = []
const listeners = listenersOf()

function show(): void {
  set({ phase: 'running', percent: 0 })
  timers.push(setInterval(tick, TICK_ms))
}

function tick(): void {
  set({ percent: Math.min(100, progress.percent + (100 * TICK_ms) / DURATION_ms) })
}

function stopTimers(): void {
  for (const timer of timers.splice(0)) clearTimeout(timer)
}

function set(change: Partial<Progress>): void {
  progress = { ...progress, ...change }
  listeners.notify()
}
