/** The part of saxon-js that the tests use; it comes without types. */
declare module 'saxon-js' {
  const saxon: {
    transform(
      options: { stylesheetInternal: object; sourceText: string; destination: 'serialized' },
      mode: 'async',
    ): Promise<{ principalResult: string }>
  }
  export default saxon
}
