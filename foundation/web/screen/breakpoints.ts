import { useSyncExternalStore } from 'react'
import { onResize } from './resize.ts'

/** The widths in px from which each layout applies (row G-03), as in the style sheet. */
export const breakpoints = { small: 640, medium: 768, large: 1024 } as const

/** True from 1024 px on: the side rail shows words, and toasts are at the bottom. */
export const isLargeScreen = (): boolean => window.innerWidth >= breakpoints.large

/** True from 768 px on: there is a side rail instead of header, drawer and footer. */
export const hasRail = (): boolean => window.innerWidth >= breakpoints.medium

/** `isLargeScreen` as a hook: the component renders again when it changes. Prefer CSS; the hook is for what CSS cannot do. */
export const useLargeScreen = (): boolean => useSyncExternalStore(subscribe, isLargeScreen)

const subscribe = (listener: () => void): (() => void) => onResize(listener, 100)
