/** Returns a decimal text, as contracts and the database have it, in the type that Intl formats exactly. Throws on any other text. */
export function decimal(text: string): `${number}` {
  if (!isDecimal(text)) throw new Error(`'${text}' is no decimal`)
  return text
}

const isDecimal = (text: string): text is `${number}` => /^-?\d+(\.\d+)?(e-?\d+)?$/.test(text)
