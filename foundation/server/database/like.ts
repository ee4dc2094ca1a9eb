/** Escapes a text for `like`, so that its % and _ match only themselves. */
const itself = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

export const beginningWith = (text: string): string => `${itself(text)}%`

export const containing = (text: string): string => `%${itself(text)}%`
