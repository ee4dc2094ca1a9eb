import type { Settings, ValuesOf } from './setting.ts'
import type { settings } from './settings.ts'

/** The values of a feature's settings, beside those of the installation. */
export type FeatureValues<S extends Settings> = ValuesOf<S> & ValuesOf<typeof settings>

/** The settings of one feature, and what it makes of them; collected by app/server/config.ts. */
export type FeatureSettings = {
  settings: Settings
  /** The feature's part of `Config`, which it declares beside it. */
  read: (values: never, production: boolean) => object
  /** A line for each combination that cannot work. */
  impossible?: (values: never) => Iterable<string>
  /** A line for each value that production refuses. */
  unsafe?: (values: never) => Iterable<string>
  /** Lines to print at the start: what works, and not as the operator would want it. */
  warnings?: (values: never, production: boolean) => Iterable<string>
}
