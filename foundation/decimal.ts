/** A decimal text, as contracts and the database write it, for Intl, which formats it exactly. Throws on any other. */
export function decimal(text: string): `${number}` {
  if (!isDecimal(text)) throw new Error(`'${text}' is no decimal`)
  return text
}

const isDecimal = (text: string): text is `${number}` => /^-?\d+(\.\d+)?(e-?\d+)?$/.test(text)
