/** The text itself for `like`: its % and _ mean themselves. */
const itself = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

export const beginningWith = (text: string): string => `${itself(text)}%`

export const containing = (text: string): string => `%${itself(text)}%`
