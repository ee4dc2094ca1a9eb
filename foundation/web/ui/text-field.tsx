import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import type { FieldProps } from './field.tsx'
import { controlClass } from './control-class.ts'
import { Field } from './field.tsx'

type Props = FieldProps &
  Omit<ComponentProps<'input'>, 'name' | 'className' | 'value' | 'onChange' | 'maxLength'> & {
    /** True for letters of equal width, in which addresses, keys and numbers line up better. */
    mono?: boolean
  }

/** A field for one line of text. It is uncontrolled: pass `defaultValue`, and read the value from the form. */
export function TextField({ name, label, hint, most, aside, mono, ...input }: Props) {
  return (
    <Field name={name} label={label} hint={hint} most={most} aside={aside}>
      {(control) => (
        <input
          type="text"
          {...input}
          {...control}
          className={classNames(controlClass, mono && 'font-mono')}
        />
      )}
    </Field>
  )
}

type AreaProps = FieldProps &
  Omit<ComponentProps<'textarea'>, 'name' | 'className' | 'value' | 'onChange' | 'maxLength'>

/** A field for several lines of text, uncontrolled like `TextField`. */
export function TextAreaField({ name, label, hint, most, aside, ...textarea }: AreaProps) {
  return (
    <Field name={name} label={label} hint={hint} most={most} aside={aside}>
      {(control) => (
        <textarea
          dir="auto"
          {...textarea}
          {...control}
          className={classNames(controlClass, 'h-auto! resize-y py-2')}
        />
      )}
    </Field>
  )
}

/** A field for an e-mail address. Phone keyboards neither capitalise nor correct it. */
export function EmailField(props: Omit<Props, 'type'>) {
  return (
    <TextField
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      autoComplete="email"
      {...props}
      type="email"
    />
  )
}

/** A field for a one-time code: one input, so that pasting and the phone's suggestion work (autocomplete one-time-code). */
export function CodeField(props: Omit<Props, 'type'>) {
  return (
    <TextField
      autoComplete="one-time-code"
      inputMode="numeric"
      autoCapitalize="none"
      spellCheck={false}
      mono
      {...props}
    />
  )
}
