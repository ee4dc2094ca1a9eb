import type { ComponentType } from 'react'
import { useLocale } from './locale.ts'

/**
 * Renders the component again when the language changes. The router keeps its matches memoised, so every page is
 * wrapped so; it is not remounted, and whatever was typed into it stays.
 */
export function localized<Props extends object>(Component: ComponentType<Props>): ComponentType<Props> {
  return function Localized(props: Props) {
    useLocale()
    return <Component {...props} />
  }
}
