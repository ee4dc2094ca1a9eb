import { useRouter, useSearch } from '@tanstack/react-router'
import { useGo } from './navigation.tsx'
import { isRecord } from './property.ts'

/** The values of a filter by their names, each with the function that reads it; a text that is no such value is left out. */
type Shape = Readonly<Record<string, (text: string) => string | undefined>>

/** The values that are set, always in the order of the shape, so that equal filters share one entry of the cache. */
export type FilterOf<S extends Shape> = { [Name in keyof S]?: NonNullable<ReturnType<S[Name]>> }

/** New values of a part of a filter; undefined and '' remove a value. */
export type ChangeOf<S extends Shape> = { [Name in keyof S]?: ReturnType<S[Name]> | undefined | '' }

/**
 * The filter of a list, a function that changes a part of it, and one that removes all of it. The address keeps it: a reload, a
 * bookmark and 'Back' find the same list. The values of another list of the page stay. `address` gives the address of the page with a filter: `paths.customers`.
 */
export function useUrlFilter<S extends Shape>(
  shape: S,
  address: (filter: FilterOf<S>) => string,
): [filter: FilterOf<S>, change: (part: ChangeOf<S>) => void, clear: () => void] {
  const go = useGo()
  const router = useRouter()
  const drawn: Record<string, unknown> = useSearch({ strict: false })
  const show = (values: (present: Record<string, unknown>) => Record<string, unknown>) => {
    // A change of a moment ago may not be drawn yet.
    const search: unknown = router.latestLocation.search
    const present = isRecord(search) ? search : {}
    const others = Object.entries(present).filter(
      ([name, value]) => !(name in shape) && typeof value === 'string',
    )
    void go(address({ ...Object.fromEntries(others), ...read(shape, values(present)) }), {
      replace: true,
      resetScroll: false,
    })
  }
  return [read(shape, drawn), (part) => show((present) => ({ ...present, ...part })), () => show(() => ({}))]
}

/** Reads any text. */
export const anyText = (text: string): string => text

/** Reads one of these values. */
export const oneOf =
  <const Value extends string>(values: readonly Value[]) =>
  (text: string): Value | undefined =>
    values.find((value) => value === text)

export const isEmpty = (filter: object): boolean => Object.keys(filter).length === 0

function read<S extends Shape>(shape: S, values: Record<string, unknown>): FilterOf<S>
function read(shape: Shape, values: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, of]) => {
      const value = values[name]
      const known = typeof value === 'string' && value !== '' ? of(value) : undefined
      return known === undefined ? [] : [[name, known]]
    }),
  )
}
