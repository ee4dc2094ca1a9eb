import { currentLocale } from './locale.ts'

/** Returns a number as the present language writes it, with two digits behind the point at most: '0.5', or '0,5'. */
export const formatNumber = (value: number): string =>
  new Intl.NumberFormat(currentLocale(), { maximumFractionDigits: 2 }).format(value)
