import type { Settings, ValuesOf } from './setting.ts'
import type { settings } from './settings.ts'

/** The values of a feature's settings, beside those of the installation. */
export type FeatureValues<S extends Settings> = ValuesOf<S> & ValuesOf<typeof settings>

/** The settings of one feature, and what it makes of them; collected by app/server/config.ts. */
export type FeatureSettings = {
  settings: Settings
  /** Makes the feature's part of `Config`, whose type the feature declares in `FeatureConfig`. */
  read: (values: never, production: boolean) => object
  /** Returns a line for each combination of values that cannot work. */
  impossible?: (values: never) => Iterable<string>
  /** Returns a line for each value that production refuses. */
  unsafe?: (values: never) => Iterable<string>
  /** Returns lines to print at the start, about values that work, but not as the operator would want. */
  warnings?: (values: never, production: boolean) => Iterable<string>
  /** Returns such lines about what customers lack: these stand on the first pages of staff, too. */
  missing?: (values: never, production: boolean) => Iterable<string>
}
