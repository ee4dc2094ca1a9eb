/** Somebody else changed a thing of the catalogue meanwhile (rule 45); `present` is the thing as it is now. */
export abstract class HasChanged<Row extends { slug: string }> extends Error {
  readonly present: Row

  constructor(present: Row) {
    super(`${present.slug} has changed`)
    this.present = present
  }
}
