import type { ComponentType } from 'react'
import { useLocale } from './locale.ts'

/**
 * Returns a component that renders again when the language changes. The router memoises its matches, so each page is
 * wrapped in this way. The page is not remounted, and typed texts stay.
 */
export function localized<Props extends object>(Component: ComponentType<Props>): ComponentType<Props> {
  return function Localized(props: Props) {
    useLocale()
    return <Component {...props} />
  }
}
