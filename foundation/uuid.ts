/** A UUID in small letters, as the database writes it. */
export const uuidForm = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** True if the text is a UUID in small letters: it can be cast in SQL without an error. */
export const isUuid = (text: string): boolean => uuidForm.test(text)
