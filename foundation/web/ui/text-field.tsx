import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import type { FieldProps } from './field.tsx'
import { controlClass } from './control-class.ts'
import { Field } from './field.tsx'

type Props = FieldProps &
  Omit<ComponentProps<'input'>, 'name' | 'className' | 'value' | 'onChange' | 'maxLength'> & {
    /** Addresses, keys and numbers line up better in a fixed width. */
    mono?: boolean
  }

/** One line of text. Uncontrolled: pass `defaultValue`, read the value from the form. */
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

/** Several lines of text, uncontrolled like the others. */
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

/** An e-mail address, without the phone keyboard's capital and correction. */
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

/** A one-time code in one input: pasting and the phone's suggestion both work (autocomplete one-time-code). */
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
