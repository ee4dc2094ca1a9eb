import type * as z from 'zod/mini'
import type { Capability, HelperRole } from './capability.ts'

/**
 * A kind of account event, declared once in the contract of its feature. Its name is `thing.past_participle` and never changes. `data` is the
 * reply of the resource as the owner of the account sees it.
 */
export type Published<Data extends z.ZodMiniType = z.ZodMiniType> = {
  readonly type: string
  /** One sentence for the API document: when it happens. */
  readonly summary: string
  readonly data: Data
  /** The roles of helpers, and of tokens, that may read such events. */
  readonly opens: Capability
  /** Events of the operator's list alone: no account reads them. */
  readonly isForOperator: boolean
  /** The part of the data that a helper of this role reads, if that is less than the owner does; undefined hides the event. A method, so that lists may hold kinds with different data. */
  readonly reduced?: ((data: z.output<Data>, role: HelperRole) => z.output<Data> | undefined) | undefined
}

/** Any kind, in lists of all. */
export type AnyPublished = Omit<Published, 'reduced'> & {
  reduced?(data: Record<string, unknown>, role: HelperRole): Record<string, unknown> | undefined
}

/** Declares a kind of account event. It is listed in the `published` of the feature, and written by `record`. */
export const published = <Data extends z.ZodMiniType>(
  type: `${string}.${string}`,
  {
    isForOperator = false,
    ...more
  }: Omit<Published<Data>, 'type' | 'isForOperator'> & { isForOperator?: boolean },
): Published<Data> => ({ type, isForOperator, ...more })
