import { createContext, use } from 'react'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import type { DisplayedError } from '#foundation/web/i18n/error-text.ts'

type FormState = { pending: boolean; errors: readonly DisplayedError[] }

export const FormContext = createContext<FormState>({ pending: false, errors: [] })

/** Returns the text of the first error at a field, in the present language. */
export function useFieldError(name: string): string | undefined {
  const error = use(FormContext).errors.find(({ param }) => param === name)
  return error ? errorText(error) : undefined
}
